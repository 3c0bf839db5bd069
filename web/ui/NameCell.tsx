import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Label } from './Label.tsx';
import styles from './NameCell.module.css';

interface NameCellProps {
  star: ReactNode;
  to: string;
  item: { name: string; tags: readonly string[]; is_draft: boolean; is_archived: boolean };
}

/** Screens 4: the name column of a list. */
export function NameCell({ star, to, item: { name, tags, is_draft, is_archived } }: NameCellProps) {
  return (
    <span className={styles.name}>
      {star}
      <span className={styles.text}>
        <Link className={styles.link} to={to}>
          {name}
        </Link>
        {is_draft && !is_archived && <Label>Unpublished</Label>}
        {is_archived && <Label>Archived</Label>}
        {tags.map((tag) => (
          <Label key={tag}>{tag}</Label>
        ))}
      </span>
    </span>
  );
}
