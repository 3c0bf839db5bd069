import { useAllGroups } from '../groups/useGroups.ts';
import styles from './GroupLabels.module.css';
import { GroupLabels } from './GroupLabels.tsx';

/** Groups by id, as labels. Users see the names of their own groups only: the others are counted. */
export function MemberLabels({ groupIds }: { groupIds: readonly number[] }) {
  const groups = useAllGroups();
  if (!groups) return null;
  const known = groups.filter(({ id }) => groupIds.includes(id));
  const hidden = groupIds.length - known.length;
  return (
    <span className={styles.members}>
      <GroupLabels groups={known} isWhole />
      {hidden > 0 && <span>{known.length > 0 ? `and ${hidden} more` : `${hidden} ${hidden === 1 ? 'group' : 'groups'}`}</span>}
      {groupIds.length === 0 && <span>None</span>}
    </span>
  );
}
