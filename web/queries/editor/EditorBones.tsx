import styles from './SqlEditor.module.css';

/** A skeleton in the shape of a query, until the editor's code is loaded. */
export function EditorBones() {
  return (
    <div className={styles.bones} role="status">
      <span className="visually-hidden">Loading the editor…</span>
      {[40, 24, 52].map((width) => (
        <div key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
