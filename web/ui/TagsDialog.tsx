import { Select } from 'antd';
import { useState } from 'react';
import { Dialog } from './Dialog.tsx';
import styles from './TagsDialog.module.css';

interface TagsDialogProps {
  tags: readonly string[];
  /** Existing tags; undefined while they are loading, empty where they cannot be read: tags are free. */
  known: readonly string[] | undefined;
  onSave: (tags: string[]) => Promise<unknown>;
  onClose: () => void;
}

/** Screens 5.2: free tags, existing ones offered, saved at once. */
export function TagsDialog({ tags: initial, known, onSave, onClose }: TagsDialogProps) {
  const [tags, setTags] = useState<string[]>([...initial]);
  return (
    <Dialog title="Add/Edit Tags" onOk={() => onSave([...new Set(tags.map((tag) => tag.trim()).filter(Boolean))])} onClose={onClose}>
      <div className={styles.roomForChoices}>
        <Select
          key={known ? 'ready' : 'loading'}
          mode="tags"
          autoFocus
          style={{ width: '100%' }}
          aria-label="Tags"
          placeholder="Add some tags..."
          disabled={!known}
          loading={!known}
          value={tags}
          onChange={setTags}
          options={(known ?? []).map((name) => ({ value: name, label: name }))}
        />
      </div>
    </Dialog>
  );
}
