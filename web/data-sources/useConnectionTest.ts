import { dataSourcesApi, type TestReply } from '@telltale/domain/data-sources/contract.ts';
import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { notify } from '../ui/notify.tsx';
import { outcomeOf, testFailure, testText } from './connectionTest.ts';

/** A8 and A9: the notice of a test, however it went, stays for ten seconds. On a phone it would lie on the buttons for as long. */
const look = { duration: 10, isAboveOnPhones: true };
/** The next outcome takes the place of the last one. */
const [key, warningKey] = ['connection-test', 'connection-test-warning'];

/** Its words are about settings that were not saved; once they are, it is gone. */
export const closeTestNotice = () => {
  notify.close(key);
  notify.close(warningKey);
};

/** Tries a connection and tells how it went, unless whoever asked has gone elsewhere by then. */
export function useConnectionTest() {
  const [isTesting, setTesting] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const tell = async (ask: (signal: AbortSignal) => Promise<TestReply>, whatWorks: string) => {
    // A second click may come before the button waits.
    if (running.current) return;
    running.current = new AbortController();
    const { signal } = running.current;
    setTesting(true);
    closeTestNotice();
    const { failure, warning } = await ask(signal).then(outcomeOf, (error) => ({ failure: testFailure(error), warning: undefined }));
    if (signal.aborted) return;
    running.current = null;
    setTesting(false);
    if (failure !== undefined) return notify.error(testText.failed, { ...look, key, description: failure });
    notify.success(testText.success, { ...look, key, description: whatWorks });
    if (warning) notify.warning(testText.warning, { ...look, key: warningKey, description: warning });
  };

  return {
    isTesting,
    testStored: (id: number, whatWorks = 'The saved settings work.') =>
      tell((signal) => call(dataSourcesApi.test, { params: { id } }, { signal }), whatWorks),
    testTyped: (source: { type: string; options: Record<string, unknown>; id?: number | undefined }) =>
      tell(
        (signal) => call(dataSourcesApi.testUnsaved, { body: source }, { signal }),
        'The settings work as typed. They are not saved yet.',
      ),
  };
}
