import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** The one primary action, and rarer ones before it. */
  action?: ReactNode;
  /** A line above the title: where one came from. */
  above?: ReactNode;
  /** 2 below a frame that already has a title. */
  level?: 1 | 2;
}

export function PageHeader({ title, action, above, level = 1 }: PageHeaderProps) {
  const Heading = `h${level}` as const;
  return (
    <header>
      {above && <div className={styles.above}>{above}</div>}
      <div className={styles.line}>
        <Heading className={styles.title}>{title}</Heading>
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </header>
  );
}
