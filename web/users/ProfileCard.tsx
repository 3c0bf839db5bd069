import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { MemberLabels } from './MemberLabels.tsx';
import styles from './ProfileCard.module.css';

/** A2: the public part of an account. */
export function ProfileCard({ user }: { user: UserDetail }) {
  return (
    <dl className={styles.card}>
      <dt>Name</dt>
      <dd>{user.name}</dd>
      <dt>Email</dt>
      <dd>
        <a href={`mailto:${user.email}`}>{user.email}</a>
      </dd>
      <dt>Groups</dt>
      <dd>
        <MemberLabels user={user} />
      </dd>
    </dl>
  );
}
