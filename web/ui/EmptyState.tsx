import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  /** One sentence. */
  children: ReactNode;
  /** One action. */
  action?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ children, action, icon }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <p>{children}</p>
      {action}
    </div>
  );
}
