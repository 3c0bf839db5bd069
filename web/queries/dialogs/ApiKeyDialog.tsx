import { Button } from 'antd';
import { CopyField } from '../../ui/CopyField.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { EditedQuery } from '../useEditedQuery.ts';
import { useRegenerateKey } from '../useQueryWrites.ts';
import styles from './Dialogs.module.css';

/** Screens 7: the key of the query, and how a script reads its result with it. */
export default function ApiKeyDialog({ edited, onClose }: { edited: EditedQuery; onClose: () => void }) {
  const regenerate = useRegenerateKey();
  const { saved, setSaved } = edited;
  if (!saved?.api_key) return null;
  const address = (ext: string) => `${location.origin}/api/queries/${saved.id}/results.${ext}?api_key=${saved.api_key}`;
  const renew = () =>
    confirm({
      title: 'Regenerate API Key',
      content: 'The old key stops working at once, wherever it is used.',
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
          <CopyField label="API Key" value={saved.api_key} isSecret />
          {saved.can_edit && <Button onClick={() => void renew()}>Regenerate</Button>}
        </div>
        <strong>Example API Calls:</strong>
        <div className={styles.stack}>
          Results in CSV format:
          <CopyField label="Address of the results as CSV" value={address('csv')} />
          Results in JSON format:
          <CopyField label="Address of the results as JSON" value={address('json')} />
        </div>
      </div>
    </Dialog>
  );
}
