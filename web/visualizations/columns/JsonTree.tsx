import { useState } from 'react';
import styles from './JsonTree.module.css';
import { itemsComment } from './jsonValue.ts';

const itemsAtOnce = 100;

interface JsonTreeProps {
  value: unknown;
  /** The key of this value in its container. */
  name?: string;
  isOpen?: boolean;
}

/** visualizations 4.7: nodes are folded at first; folded nodes are not drawn. */
export function JsonTree({ value, name, isOpen: isOpenAtFirst = false }: JsonTreeProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [limit, setLimit] = useState(itemsAtOnce);
  const key = name === undefined ? null : <span className={styles.key}>{JSON.stringify(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={styles.leaf}>
        {key}
        <span className={value === null ? styles.none : undefined}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const entries = Object.entries(value);
  if (entries.length === 0) {
    return (
      <div className={styles.leaf}>
        {key}
        {open}
        {close}
      </div>
    );
  }
  const label = `${isOpen ? 'Fold' : 'Unfold'} ${name ?? 'JSON'}`;
  return (
    <div className={styles.node}>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} aria-label={label} onClick={() => setOpen(!isOpen)}>
        <span className={isOpen ? styles.caretOpen : styles.caret} aria-hidden />
        {key}
        {open}
        {!isOpen && (
          <>
            <span className={styles.more}>…</span>
            {close} <span className={styles.comment}>{itemsComment(value)}</span>
          </>
        )}
      </button>
      {isOpen && (
        <>
          <div className={styles.items}>
            {entries.slice(0, limit).map(([entry, item]) => (
              <JsonTree key={entry} value={item} {...(!isList && { name: entry })} />
            ))}
            {entries.length > limit && (
              <button type="button" className={styles.show} onClick={() => setLimit(limit + itemsAtOnce)}>
                Show {Math.min(itemsAtOnce, entries.length - limit)} more of {entries.length}
              </button>
            )}
          </div>
          <div className={styles.leaf}>{close}</div>
        </>
      )}
    </div>
  );
}
