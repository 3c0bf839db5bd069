import CloseOutlined from '@ant-design/icons/CloseOutlined';
import type { Key, ReactNode } from 'react';
import styles from './SelectItems.module.css';

interface StagedItemsProps<T> {
  title: string;
  items: readonly T[];
  keyOf: (item: T) => Key;
  draw: (item: T) => ReactNode;
  hasFailed: (item: T) => boolean;
  onRemove: (item: T) => void;
}

/** The items to save; a click removes one. */
export function StagedItems<T>({ title, items, keyOf, draw, hasFailed, onRemove }: StagedItemsProps<T>) {
  return (
    <section className={styles.column} aria-label={title}>
      <h3 className={styles.heading}>
        {title} {items.length > 0 && <span className={styles.count}>{items.length}</span>}
      </h3>
      {items.length === 0 ? (
        <p className={styles.hint}>Choose from the list to add here.</p>
      ) : (
        <ul className={styles.list}>
          {items.map((item) => (
            <li key={keyOf(item)}>
              <button type="button" className={styles.item} title="Remove" onClick={() => onRemove(item)}>
                <span className={styles.drawn}>{draw(item)}</span>
                {hasFailed(item) && <span className={styles.failed}>Failed</span>}
                <span className={styles.mark}>
                  <CloseOutlined aria-hidden />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
