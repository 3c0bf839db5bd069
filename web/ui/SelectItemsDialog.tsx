import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Key, type ReactNode, useState } from 'react';
import { Dialog } from './Dialog.tsx';
import { ErrorState } from './ErrorState.tsx';
import { notify } from './notify.tsx';
import { SearchBox } from './SearchBox.tsx';
import { FoundItems } from './select-items/FoundItems.tsx';
import styles from './select-items/SelectItems.module.css';
import { StagedItems } from './select-items/StagedItems.tsx';
import { saveEach } from './select-items/saveEach.ts';

interface SelectItemsDialogProps<T> {
  title: string;
  placeholder?: string;
  /** Finds the matches of a term; without a term, the first suggestions. */
  find: (term: string, signal: AbortSignal) => Promise<readonly T[]>;
  keyOf: (item: T) => Key;
  draw: (item: T) => ReactNode;
  /** The item is already a member: it is shown, but cannot be chosen. */
  isTaken: (item: T) => boolean;
  /** Sends one request per item. */
  save: (item: T) => Promise<unknown>;
  onClose: () => void;
  /** The title of the list on the right; without it only marks show the choice. */
  stagedTitle?: string;
  /** "Save (2)": shows the number of chosen items, where there is no list on the right. */
  hasCount?: boolean;
  /** Content below the list, such as a link to create new items. */
  footer?: ReactNode;
}

/** Screens 1.10: chooses several items from a long list. Items that could not be saved stay, for another try. */
export function SelectItemsDialog<T>(props: SelectItemsDialogProps<T>) {
  const { title, placeholder = 'Search...', find, keyOf, draw, save, stagedTitle } = props;
  const [term, setTerm] = useState('');
  const [staged, setStaged] = useState<readonly T[]>([]);
  const [saved, setSaved] = useState<ReadonlySet<Key>>(new Set());
  const [failed, setFailed] = useState<ReadonlySet<Key>>(new Set());

  const found = useQuery({
    queryKey: ['select-items', title, term],
    queryFn: ({ signal }) => find(term, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

  const isStaged = (item: T) => staged.some((other) => keyOf(other) === keyOf(item));
  const toggle = (item: T) => setStaged(isStaged(item) ? staged.filter((other) => keyOf(other) !== keyOf(item)) : [...staged, item]);

  const saveStaged = async () => {
    const refused = await saveEach(staged, save);
    if (refused.length === 0) return;
    const keys = new Set(refused.map(keyOf));
    setSaved(new Set([...saved, ...staged.map(keyOf).filter((key) => !keys.has(key))]));
    setStaged(refused);
    setFailed(keys);
    notify.error('Failed to save some of selected items.');
    throw new Error('Failed to save some of selected items.');
  };

  return (
    <Dialog
      title={title}
      okText={props.hasCount && staged.length > 0 ? `Save (${staged.length})` : 'Save'}
      onOk={saveStaged}
      onClose={props.onClose}
      isOkDisabled={staged.length === 0}
      width={stagedTitle ? 'min(880px, max(80%, 560px))' : 570}
    >
      <div className={stagedTitle ? styles.columns : undefined}>
        <div className={styles.column} aria-busy={found.isFetching}>
          <SearchBox value={term} onSearch={setTerm} placeholder={placeholder} label={placeholder.replace(/\.+$/, '')} autoFocus />
          {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
          {found.isPending && <p className={styles.hint}>Loading...</p>}
          {found.data?.length === 0 && <p className={styles.hint}>No items match your search.</p>}
          {found.data && found.data.length > 0 && (
            <FoundItems
              label={title}
              items={found.data}
              keyOf={keyOf}
              draw={draw}
              isTaken={(item) => props.isTaken(item) || saved.has(keyOf(item))}
              isStaged={isStaged}
              onToggle={toggle}
            />
          )}
          {props.footer}
        </div>
        {stagedTitle && (
          <StagedItems
            title={stagedTitle}
            items={staged}
            keyOf={keyOf}
            draw={draw}
            hasFailed={(item) => failed.has(keyOf(item))}
            onRemove={toggle}
          />
        )}
      </div>
    </Dialog>
  );
}
