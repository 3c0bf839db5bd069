import styles from './TagList.module.css';

export interface Tag {
  name: string;
  count: number;
}

interface TagListProps {
  tags: readonly Tag[];
  selected: readonly string[];
  onToggle: (tag: string, isSet: boolean) => void;
  onClear: () => void;
}

/** Screens 4: a click selects only that tag, another click clears it, Shift+click builds a set; without tags there is no list. */
export function TagList({ tags, selected, onToggle, onClear }: TagListProps) {
  const shown = withSelected(tags, selected);
  if (shown.length === 0) return null;
  return (
    <section className={styles.tags} aria-label="Tags">
      <header className={styles.header}>
        <span>Tags</span>
        {selected.length > 0 && (
          <button type="button" className={styles.clear} onClick={onClear}>
            clear selection
          </button>
        )}
      </header>
      <ul className={styles.list}>
        {shown.map(({ name, count }) => (
          <li key={name}>
            <button
              type="button"
              className={styles.tag}
              aria-pressed={selected.includes(name)}
              title={name}
              onClick={(event) => onToggle(name, event.shiftKey)}
            >
              <span className={styles.name}>{name}</span>
              <span className={styles.count}>{count}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A tag from the address may have no items any more; it must stay visible to be deselected. */
function withSelected(tags: readonly Tag[], selected: readonly string[]): Tag[] {
  const missing = selected.filter((name) => !tags.some((tag) => tag.name === name));
  return [...tags, ...missing.map((name) => ({ name, count: 0 }))];
}
