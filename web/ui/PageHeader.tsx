import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** The primary action, and secondary ones before it. */
  action?: ReactNode;
  /** A line above the title: a link back. */
  above?: ReactNode;
  /** 2 below a frame that has a title. */
  level?: 1 | 2 | 3;
  /** The header of a part of a page, below the title of the page. */
  isSmall?: boolean;
}

export function PageHeader({ title, action, above, level = 1, isSmall = false }: PageHeaderProps) {
  const Heading = `h${level}` as const;
  return (
    <header>
      {above && <div className={styles.above}>{above}</div>}
      <div className={styles.line}>
        <Heading className={`${styles.title} ${isSmall ? styles.small : ''}`}>{title}</Heading>
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </header>
  );
}
