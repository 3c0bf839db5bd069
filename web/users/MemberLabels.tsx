import type { UserDetail } from '@telltale/domain/users/contract.ts';
import styles from './GroupLabels.module.css';
import { GroupLabels } from './GroupLabels.tsx';

/** The groups of an account as labels, also those that the reader is not in. */
export const MemberLabels = ({ user: { named_groups } }: { user: Pick<UserDetail, 'named_groups'> }) => (
  <span className={styles.members}>
    <GroupLabels groups={named_groups} isWhole />
    {named_groups.length === 0 && <span>None</span>}
  </span>
);
