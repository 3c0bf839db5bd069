import styles from './DashboardView.module.css';

/** Screens 17.31: the shape of what comes. */
export function DashboardSkeleton() {
  return (
    <div className={styles.page} role="status">
      <span className="visually-hidden">Loading...</span>
      <div className={styles.bonesHeader}>
        <i />
      </div>
      <div className={styles.bones}>
        <i />
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
