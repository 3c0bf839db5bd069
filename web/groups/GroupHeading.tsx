import type { Group } from '@telltale/domain/groups/contract.ts';
import { useCan } from '../api/session.ts';
import { InlineEdit } from '../ui/InlineEdit.tsx';
import { Label } from '../ui/Label.tsx';
import styles from './GroupHeading.module.css';
import { useSaveGroup } from './useGroups.ts';

const longestName = 100;

/** Administrators rename a group in place, unless it is built-in (A4). */
export function GroupHeading({ group }: { group: Group }) {
  const isAdmin = useCan()('admin');
  const save = useSaveGroup();
  const isBuiltIn = group.type === 'builtin';
  return (
    <span className={styles.heading}>
      <InlineEdit
        value={group.name}
        label="group name"
        isEditable={isAdmin && !isBuiltIn}
        ignoreBlanks
        maxLength={longestName}
        onSave={(name) => save.mutateAsync({ params: { id: group.id }, body: { name } })}
      />
      {isBuiltIn && <Label>built-in</Label>}
    </span>
  );
}
