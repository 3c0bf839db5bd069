import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link } from 'react-router';
import { useCan } from '../api/session.ts';
import { RowButton } from '../ui/RowButton.tsx';
import styles from './GroupRowActions.module.css';
import { useAskToDeleteGroup } from './useAskToDeleteGroup.tsx';

export function GroupRowActions({ group }: { group: Group }) {
  const isAdmin = useCan()('admin');
  const { ask, refusal } = useAskToDeleteGroup(group);
  return (
    <span className={styles.actions}>
      <Link to={`/groups/${group.id}`}>Members</Link>
      {isAdmin && <Link to={`/groups/${group.id}/data_sources`}>Data Sources</Link>}
      {isAdmin && (
        <RowButton thing={group.name} danger refusal={refusal} onClick={ask}>
          Delete
        </RowButton>
      )}
    </span>
  );
}
