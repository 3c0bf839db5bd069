import styles from './PageSkeleton.module.css';

/** In the shape of most pages: a title, a line of filters, rows. */
export function PageSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div className={styles.page} role="status">
      <span className="visually-hidden">Loading…</span>
      <div className={styles.title} />
      <div className={styles.filter} />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never change places
        <div key={row} className={styles.row} />
      ))}
    </div>
  );
}
