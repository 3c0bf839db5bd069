import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link } from 'react-router';
import { Label } from '../ui/Label.tsx';
import styles from './GroupTitle.module.css';

export function GroupTitle({ group }: { group: Group }) {
  return (
    <span className={styles.title}>
      <Link className={styles.name} to={`/groups/${group.id}`} title={group.name}>
        {group.name}
      </Link>
      {group.type === 'builtin' && <Label>built-in</Label>}
    </span>
  );
}
