import { dataSourcesApi, type TestReply } from '@telltale/domain/data-sources/contract.ts';
import { useWrite } from '../api/query.ts';
import { notify } from '../ui/notify.tsx';
import { outcomeOf, testFailure, testText } from './connectionTest.ts';

/** A8 and A9: the notice of a test, however it went. */
const duration = 10;
/** The next outcome takes the place of the last one. */
const [key, warningKey] = ['connection-test', 'connection-test-warning'];

/** Its words are about settings that were not saved; once they are, it is gone. */
export const closeTestNotice = () => {
  notify.close(key);
  notify.close(warningKey);
};

/** Tries a connection and tells how it went. */
export function useConnectionTest() {
  const stored = useWrite(dataSourcesApi.test, { failed: false });
  const typed = useWrite(dataSourcesApi.testUnsaved, { failed: false });

  const tell = async (asked: Promise<TestReply>, whatWorks: string) => {
    closeTestNotice();
    const { failure, warning } = await asked.then(outcomeOf, (error) => ({ failure: testFailure(error), warning: undefined }));
    if (failure !== undefined) return notify.error(testText.failed, { key, description: failure, duration });
    notify.success(testText.success, { key, description: whatWorks, duration });
    if (warning) notify.warning(testText.warning, { key: warningKey, description: warning, duration });
  };

  return {
    isTesting: stored.isPending || typed.isPending,
    testStored: (id: number, whatWorks = 'The saved settings work.') => tell(stored.mutateAsync({ params: { id } }), whatWorks),
    testTyped: (source: { type: string; options: Record<string, unknown>; id?: number | undefined }) =>
      tell(typed.mutateAsync({ body: source }), 'The settings work as typed. They are not saved yet.'),
  };
}
