import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { Select } from 'antd';
import { useState } from 'react';
import { recordEvent } from '../../api/events.ts';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import type { EditedQuery } from '../useEditedQuery.ts';
import styles from './Dialogs.module.css';

/** Screens 5.2: free tags, existing ones offered, saved at once. */
export default function TagsDialog({ edited, onClose }: { edited: EditedQuery; onClose: () => void }) {
  const known = useRead(queriesApi.tags, {});
  const [tags, setTags] = useState<string[]>(edited.tags);
  const save = async () => {
    const chosen = [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))];
    await edited.saveDetails({ tags: chosen });
    if (edited.saved) recordEvent('edit_tags', 'query', edited.saved.id);
  };
  return (
    <Dialog title="Add/Edit Tags" onOk={save} onClose={onClose}>
      <div className={styles.roomForChoices}>
        <Select
          key={known.isPending ? 'loading' : 'ready'}
          mode="tags"
          autoFocus
          style={{ width: '100%' }}
          aria-label="Tags"
          placeholder="Add some tags..."
          disabled={known.isPending}
          loading={known.isPending}
          value={tags}
          onChange={setTags}
          options={(known.data?.tags ?? []).map(({ name }) => ({ value: name, label: name }))}
        />
      </div>
    </Dialog>
  );
}
