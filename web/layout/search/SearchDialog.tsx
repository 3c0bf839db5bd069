import { type Found, searchApi } from '@telltale/domain/search/contract.ts';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDelayed } from '../../ui/useDelayed.ts';
import { createEntries, settingsEntries, topEntries, useOffered } from '../navigation.ts';
import styles from './Search.module.css';

interface Entry {
  key: string;
  name: string;
  detail: string;
  kind: string;
  url: string;
}

const kinds: Record<Found['type'], string> = {
  dashboard: 'Dashboard',
  query: 'Query',
  channel: 'Channel',
  device: 'Device',
  alert: 'Alert',
  command: 'Command',
  user: 'Person',
};
const mostPages = 5;

interface SearchDialogProps {
  isOpen: boolean;
  /** Called when it begins to close. */
  onClosing: () => void;
  /** Called once it has closed. */
  onClose: () => void;
}

/** Finds objects by a part of their name, and pages by theirs; arrows choose, Enter opens. */
export default function SearchDialog({ isOpen, onClosing, onClose }: SearchDialogProps) {
  const listId = useId();
  const navigate = useNavigate();
  const [term, setTerm] = useState('');
  /** The entry that arrows or the pointer went to; it stays chosen while further results come in. */
  const [picked, setPicked] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const q = useDelayed(term.trim(), 120);
  const { data, error, isFetching, isPlaceholderData } = useRead(
    searchApi.find,
    { query: { q } },
    { placeholderData: (before) => before, staleTime: 5000 },
  );
  const pages = usePageEntries(term);
  const entries = [...(data?.results ?? []).map(entryOf), ...pages];
  const own = entries.findIndex(({ key }) => key === picked);
  const at = Math.max(own, 0);
  const chosen = entries[at];
  /** False while the shown results are still those of an earlier term. */
  const isCurrent = q === term.trim() && !isPlaceholderData && (data !== undefined || error !== null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which React would take for a clean-up.
    void list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const open = (entry: Entry | undefined) => {
    setEntered(false);
    if (!entry) return;
    onClosing();
    navigate(entry.url);
  };
  const openEntered = useEffectEvent(() => open(chosen));
  useEffect(() => {
    if (isEntered && isCurrent) openEntered();
  }, [isEntered, isCurrent]);
  const press = (event: KeyboardEvent) => {
    // Enter right after the last letter opens the first result of the typed term, as soon as it is here.
    if (event.key === 'Enter') return own >= 0 || isCurrent ? open(chosen) : setEntered(true);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || entries.length === 0) return;
    event.preventDefault();
    setPicked(entries[(at + step + entries.length) % entries.length]?.key);
  };
  const write = (text: string) => {
    setTerm(text);
    setPicked(undefined);
    setEntered(false);
  };

  const mayClose = () => {
    onClosing();
    return true;
  };

  return (
    <Dialog title="Search" hasFooter={false} closesOnMask isOpen={isOpen} width={600} mayClose={mayClose} onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Search everywhere"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${at}`}
        placeholder="Queries, dashboards, channels, devices, alerts, commands, people, settings"
        value={term}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => write(target.value)}
        onKeyDown={press}
      />
      {error && <p className={styles.note}>{error.message}</p>}
      <div ref={list} id={listId} className={styles.found} role="listbox" aria-label="Results" aria-busy={isFetching || !isCurrent}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the chosen option
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the input opens the chosen option
          <div
            key={entry.key}
            id={`${listId}-${index}`}
            data-at={index}
            role="option"
            aria-selected={entry === chosen}
            onPointerMove={() => setPicked(entry.key)}
            onClick={() => open(entry)}
          >
            <span className={styles.name}>{entry.name}</span>
            {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
            <span className={styles.kind}>{entry.kind}</span>
          </div>
        ))}
      </div>
      {!error && data && entries.length === 0 && <p className={styles.note}>Sorry, we couldn't find anything.</p>}
    </Dialog>
  );
}

const entryOf = ({ type, name, detail, url }: Found): Entry => ({ key: url, name: name || detail, detail, kind: kinds[type], url });

/** Settings and other pages whose title contains the term; none without a term. */
function usePageEntries(term: string): Entry[] {
  const offered = [
    ...useOffered(settingsEntries).map((one) => ({ ...one, kind: 'Settings' })),
    ...useOffered(topEntries).map((one) => ({ ...one, kind: 'Page' })),
    ...useOffered(createEntries).map((one) => ({ ...one, kind: 'Create' })),
  ];
  const sought = term.trim().toLowerCase();
  if (sought === '') return [];
  return offered
    .filter(({ title }) => title.toLowerCase().includes(sought))
    .slice(0, mostPages)
    .map(({ title, path, kind }) => ({ key: `${kind} ${path}`, name: title, detail: '', kind, url: path }));
}
