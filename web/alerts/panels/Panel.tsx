import ExportOutlined from '@ant-design/icons/ExportOutlined';
import type { ReactNode } from 'react';
import { ErrorState } from '../../ui/ErrorState.tsx';
import styles from './Panel.module.css';

interface PanelProps {
  title: string;
  /** The page that manages them, opened in a new tab; undefined for users who may not open it. */
  manage?: { address: string; label: string } | undefined;
  add?: ReactNode;
  read: { data?: readonly unknown[] | undefined; error: Error | null; refetch: () => unknown };
  children: ReactNode;
  /** The sentence for an empty list. */
  empty?: string | false;
}

/** A panel of an alert's targets: a list, a way to add to it, and a link to the page that manages them. */
export function Panel({ title, manage, add, read, children, empty }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {manage && (
          <a href={manage.address} target="_blank" rel="noopener" aria-label={manage.label} title={manage.label}>
            <ExportOutlined aria-hidden />
          </a>
        )}
        <span className={styles.add}>{add}</span>
      </header>
      {read.error && !read.data && <ErrorState error={read.error} onRetry={read.refetch} />}
      <ul className={styles.list}>{children}</ul>
      {read.data && empty && <p className={styles.empty}>{empty}</p>}
    </section>
  );
}

interface PanelItemProps {
  mark?: ReactNode;
  name: string;
  below?: string | undefined;
  action: ReactNode;
}

export function PanelItem({ mark, name, below, action }: PanelItemProps) {
  return (
    <li className={styles.item}>
      {mark}
      <span className={styles.text}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        {below && (
          <span className={styles.below} title={below}>
            {below}
          </span>
        )}
      </span>
      {action}
    </li>
  );
}
