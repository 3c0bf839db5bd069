import DoubleRightOutlined from '@ant-design/icons/DoubleRightOutlined';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NoMatch } from '../../ui/NoMatch.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import styles from './KindList.module.css';
import { offeredKinds, type SourceKind } from './sourceKind.ts';

interface KindListProps {
  /** Undefined while they are loading. */
  kinds: readonly SourceKind[] | undefined;
  error: Error | null;
  onRetry: () => unknown;
  logo: (kind: SourceKind, size: number) => ReactNode;
  /** The previously chosen one. */
  chosen: SourceKind | undefined;
  /** Whether a kind has typed values that are kept (complaint 60). */
  isStarted: (kind: SourceKind) => boolean;
  onChoose: (kind: SourceKind) => void;
}

/** The first step: choosing the kind. */
export function KindList({ kinds, error, onRetry, logo, chosen, isStarted, onChoose }: KindListProps) {
  const [term, setTerm] = useState('');
  const found = kinds && offeredKinds(kinds, term);

  /** The arrows go from the search through the list; Enter in the search takes a single match. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1);
    }
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && kinds) {
      const [only, ...others] = offeredKinds(kinds, event.target.value);
      if (!only || only.unavailable || others.length > 0) return;
      // The form gets the focus while the key is down, and the key would submit it.
      event.preventDefault();
      onChoose(only);
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the search and the buttons inside
    <div className={styles.choice} onKeyDown={onKeyDown}>
      <SearchBox value={term} onSearch={setTerm} label="Search types" autoFocus />
      <div className={styles.area}>
        {error && !kinds && <ErrorState error={error} onRetry={onRetry} />}
        {!error && !kinds && <WaitingRows />}
        {found?.length === 0 && <NoMatch />}
        {found && found.length > 0 && (
          <ul className={styles.list}>
            {found.map((kind) => (
              <li key={kind.type}>
                <button
                  ref={kind === chosen ? showWhole : undefined}
                  type="button"
                  className={styles.kind}
                  aria-current={kind === chosen ? 'true' : undefined}
                  disabled={kind.unavailable !== undefined}
                  onClick={() => onChoose(kind)}
                >
                  {logo(kind, 28)}
                  <span className={styles.name}>{kind.name}</span>
                  {kind.unavailable && <span className={styles.note}>{kind.unavailable}</span>}
                  {isStarted(kind) && <span className={styles.note}>Started</span>}
                  <DoubleRightOutlined className={styles.go ?? ''} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function WaitingRows() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading...</span>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row} className={styles.waiting} />
      ))}
    </div>
  );
}

function moveFocus(choice: HTMLElement, way: 1 | -1): void {
  const stops = [...choice.querySelectorAll<HTMLElement>('input, li > button')];
  stops[stops.findIndex((stop) => stop.matches(':focus')) + way]?.focus();
}

const showWhole = (kind: HTMLElement | null) => void kind?.scrollIntoView({ block: 'nearest' });
