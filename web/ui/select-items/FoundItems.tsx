import CheckOutlined from '@ant-design/icons/CheckOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Key, ReactNode } from 'react';
import styles from './SelectItems.module.css';

interface FoundItemsProps<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => Key;
  draw: (item: T) => ReactNode;
  isTaken: (item: T) => boolean;
  isStaged: (item: T) => boolean;
  onToggle: (item: T) => void;
}

/** The found items; a click stages one, another click unstages it. */
export function FoundItems<T>({ label, items, keyOf, draw, isTaken, isStaged, onToggle }: FoundItemsProps<T>) {
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => {
        const taken = isTaken(item);
        const staged = isStaged(item);
        return (
          <li key={keyOf(item)}>
            <button type="button" className={styles.item} disabled={taken} aria-pressed={taken || staged} onClick={() => onToggle(item)}>
              <span className={styles.drawn}>{draw(item)}</span>
              {taken && <span className={styles.taken}>Already selected</span>}
              <span className={styles.mark}>{taken || staged ? <CheckOutlined aria-hidden /> : <PlusOutlined aria-hidden />}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
