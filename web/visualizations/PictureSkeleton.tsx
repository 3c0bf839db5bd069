import styles from './Visualization.module.css';

const rows = [0, 1, 2, 3, 4, 5];

/** While the code of a kind is on its way. */
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
