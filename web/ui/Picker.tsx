import CloseOutlined from '@ant-design/icons/CloseOutlined';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import styles from './Picker.module.css';
import { SearchBox } from './SearchBox.tsx';

interface PickerProps<T> {
  /** The placeholder of the search box: "Search a query by name". */
  placeholder: string;
  items: readonly T[] | undefined;
  error: Error | null;
  term: string;
  onTerm: (term: string) => void;
  chosen: T | null;
  onChoose: (item: T | null) => void;
  draw: (item: T) => ReactNode;
  nameOf: (item: T) => string;
  isRefused?: (item: T) => boolean;
}

/** Screens 1.10: chooses one of many items; the choice replaces the list, and × brings it back. */
export function Picker<T extends { id: number }>(props: PickerProps<T>) {
  const { placeholder, items, error, term, onTerm, chosen, onChoose, draw, nameOf, isRefused = () => false } = props;
  if (chosen) {
    return (
      <ChosenRow>
        <span>{draw(chosen)}</span>
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined />}
          aria-label={`Choose another than ${nameOf(chosen)}`}
          onClick={() => onChoose(null)}
        />
      </ChosenRow>
    );
  }
  return (
    <>
      <SearchBox value={term} onSearch={onTerm} placeholder={placeholder} label={placeholder} autoFocus />
      {error && <ErrorState error={error} />}
      {!error && !items && <p className={styles.note}>Loading...</p>}
      {items?.length === 0 && (
        <p className={styles.note}>{term ? 'No results matching search term.' : 'There is nothing to choose from yet.'}</p>
      )}
      {items && items.length > 0 && (
        <ul className={styles.found}>
          {items.map((item) => (
            <li key={item.id}>
              <button type="button" disabled={isRefused(item)} onClick={() => onChoose(item)}>
                {draw(item)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The box that replaces the list: the choice, and the way back. */
export const ChosenRow = ({ children }: { children: ReactNode }) => <div className={styles.chosen}>{children}</div>;
