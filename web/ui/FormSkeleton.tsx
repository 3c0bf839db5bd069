import styles from './FormSkeleton.module.css';

/** A skeleton in the shape of a form, while its data is loading. */
export function FormSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className={styles.form} role="status">
      <span className="visually-hidden">Loading...</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className={styles.row}>
          <span className={styles.label} />
          <span className={styles.input} />
        </div>
      ))}
    </div>
  );
}
