import type { ReactNode } from 'react';
import styles from './SideBarLayout.module.css';

/** A side bar left of the content; on phones it stands above it. */
export function SideBarLayout({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.layout}>
      <div className={styles.side}>{side}</div>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
