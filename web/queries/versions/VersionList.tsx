import type { ReactNode } from 'react';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './History.module.css';

interface ListedVersion {
  version: number;
  created_at: string;
}

interface VersionListProps<T> {
  versions: readonly T[];
  chosen: number | null;
  onChoose: (version: number) => void;
  /** The name of the author; null for a deleted one. */
  authorOf: (version: T) => string | null | undefined;
  /** Content after the time of a version. */
  notesOf: (version: T) => ReactNode;
}

/** Saved versions, of which one is chosen. */
export function VersionList<T extends ListedVersion>({ versions, chosen, onChoose, authorOf, notesOf }: VersionListProps<T>) {
  return (
    <ul className={styles.list} aria-label="Versions">
      {versions.map((one) => (
        <li key={one.version}>
          <button type="button" className={styles.version} aria-pressed={one.version === chosen} onClick={() => onChoose(one.version)}>
            <span>
              <strong>{one.version}</strong> {authorOf(one) ?? 'Somebody'}
            </span>
            <span className={styles.when}>
              <TimeAgo date={one.created_at} />
              {notesOf(one)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
