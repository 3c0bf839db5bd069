import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { Button } from 'antd';
import { useSession } from '../../api/session.ts';
import { CopyField } from '../../ui/CopyField.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { EditedQuery } from '../useEditedQuery.ts';
import { useRegenerateKey } from '../useQueryWrites.ts';
import styles from './Dialogs.module.css';
import { QueryKeyList } from './QueryKeyList.tsx';

/** Screens 7: the key of the query, and how a script reads its result with it. */
export default function ApiKeyDialog({ edited, onClose }: { edited: EditedQuery; onClose: () => void }) {
  const regenerate = useRegenerateKey();
  const { user } = useSession();
  const { saved, setSaved } = edited;
  if (!saved) return null;
  const forget = (userId: number) => {
    if (userId === user.id) setSaved((before) => before && { ...before, api_key: undefined });
  };
  const address = (ext: string) => `${location.origin}/api/queries/${saved.id}/results.${ext}?api_key=${saved.api_key}`;
  const renew = () =>
    confirm({
      title: 'Regenerate API Key',
      content: 'All keys of this query stop working at once, wherever they are used.',
      okText: 'Regenerate',
      danger: true,
      onOk: async () => {
        const { api_key, version } = await regenerate.mutateAsync({ params: { id: saved.id } });
        setSaved((before) => before && { ...before, api_key, version });
      },
    });
  return (
    <Dialog title="API Key" width={600} okText="Close" hasCancel={false} onClose={onClose} closesOnMask>
      <div className={styles.stack}>
        <div className={styles.line}>
          {saved.api_key ? <CopyField label="API Key" value={saved.api_key} isSecret /> : <span>Your key of this query was revoked.</span>}
          {saved.can_edit && <Button onClick={() => void renew()}>Regenerate</Button>}
        </div>
        <p className={styles.help}>This is your own key: it works while you and the owner of the query have access to its data.</p>
        {saved.api_key && (
          <>
            <strong>Example API Calls:</strong>
            <div className={styles.stack}>
              Results in CSV format:
              <CopyField label="Address of the results as CSV" value={address('csv')} />
              Results in JSON format:
              <CopyField label="Address of the results as JSON" value={address('json')} />
            </div>
          </>
        )}
        {isOwnerOrAdmin(user, saved.user.id) && (
          <>
            <strong>Keys of this query:</strong>
            <QueryKeyList queryId={saved.id} onRevoked={forget} />
          </>
        )}
      </div>
    </Dialog>
  );
}
