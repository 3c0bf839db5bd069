import styles from './Visualization.module.css';

const rows = [0, 1, 2, 3, 4, 5];

/** Shown while the code of a kind is loading. */
export function PictureSkeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">Loading…</span>
      {rows.map((row) => (
        <i key={row} />
      ))}
    </div>
  );
}
