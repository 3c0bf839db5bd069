import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { useWrite } from '../api/query.ts';
import { notify } from '../ui/notify.tsx';
import { testFailure, testText } from './connectionTest.ts';

/** A8 and A9: the notice of a test, however it went. */
const duration = 10;
/** The next outcome takes the place of the last one. */
const key = 'connection-test';

/** Its words are about settings that were not saved; once they are, it is gone. */
export const closeTestNotice = () => notify.close(key);

/** Tries a connection and tells how it went. */
export function useConnectionTest() {
  const stored = useWrite(dataSourcesApi.test, { failed: false });
  const typed = useWrite(dataSourcesApi.testUnsaved, { failed: false });

  const tell = async (asked: Promise<{ ok: boolean; message: string }>, whatWorks: string) => {
    closeTestNotice();
    const failure = await asked.then(({ ok, message }) => (ok ? null : message || testText.unknown), testFailure);
    if (failure === null) notify.success(testText.success, { key, description: whatWorks, duration });
    else notify.error(testText.failed, { key, description: failure, duration });
  };

  return {
    isTesting: stored.isPending || typed.isPending,
    testStored: (id: number, whatWorks = 'The saved settings work.') => tell(stored.mutateAsync({ params: { id } }), whatWorks),
    testTyped: (source: { type: string; options: Record<string, unknown>; id?: number | undefined }) =>
      tell(typed.mutateAsync({ body: source }), 'The settings work as typed. They are not saved yet.'),
  };
}
