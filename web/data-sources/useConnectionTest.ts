import { dataSourcesApi, type TestReply } from '@telltale/domain/data-sources/contract.ts';
import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { notify } from '../ui/notify.tsx';
import { outcomeOf, type TestText, testFailure, testText } from './connectionTest.ts';

/** An object that can be tested before it is saved: its two calls, and their texts. */
export interface TestSubject {
  text: TestText;
  testStored: (id: number, signal: AbortSignal) => Promise<TestReply>;
  testTyped: (item: TypedSettings, signal: AbortSignal) => Promise<TestReply>;
}
interface TypedSettings {
  type: string;
  options: Record<string, unknown>;
  id?: number | undefined;
}

export const connection: TestSubject = {
  text: testText,
  testStored: (id, signal) => call(dataSourcesApi.test, { params: { id } }, { signal }),
  testTyped: (source, signal) => call(dataSourcesApi.testUnsaved, { body: source }, { signal }),
};

/** A8 and A9: the notice of a test stays for ten seconds. On a phone it would cover the buttons for as long. */
const look = { duration: 10, isAboveOnPhones: true };
/** The next outcome replaces the last one. */
const [key, warningKey] = ['connection-test', 'connection-test-warning'];

/** The notice concerns unsaved settings, so saving closes it. */
export const closeTestNotice = () => {
  notify.close(key);
  notify.close(warningKey);
};

/** Tests settings and shows the outcome, unless the user has left by then. */
export function useConnectionTest({ text, testStored, testTyped }: TestSubject = connection) {
  const [isTesting, setTesting] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const tell = async (ask: (signal: AbortSignal) => Promise<TestReply>, whatWorks: string) => {
    // A second click may come before the button is disabled.
    if (running.current) return;
    running.current = new AbortController();
    const { signal } = running.current;
    setTesting(true);
    closeTestNotice();
    const { failure, warning } = await ask(signal).then(
      (reply) => outcomeOf(reply, text),
      (error) => ({ failure: testFailure(error, text), warning: undefined }),
    );
    if (signal.aborted) return;
    running.current = null;
    setTesting(false);
    if (failure !== undefined) return notify.error(text.failed, { ...look, key, description: failure });
    notify.success(text.success, { ...look, key, description: whatWorks });
    if (warning) notify.warning(testText.warning, { ...look, key: warningKey, description: warning });
  };

  return {
    isTesting,
    testStored: (id: number, whatWorks = text.storedWorks) => tell((signal) => testStored(id, signal), whatWorks),
    testTyped: (item: TypedSettings) => tell((signal) => testTyped(item, signal), text.typedWorks),
  };
}
