import styles from './NoPicture.module.css';
import type { ResultTable } from './resultTable.ts';

/** Shown in place of a picture: why there is none, and what would change that. */
export function NoPicture({ children }: { children: string }) {
  return <p className={styles.none}>{children}</p>;
}

/** Complaint 9: an empty result is distinct from an error, and from filters that match nothing. */
export const whyNoRows = ({ isFiltered }: ResultTable): string => (isFiltered ? 'No rows match the filters.' : 'Query returned no rows');

export const missingColumns = (names: readonly string[]): string =>
  names.length === 1
    ? `The result has no column “${short(names[0])}”. Choose another one in the editor.`
    : `The result has no columns ${names.map((name) => `“${short(name)}”`).join(', ')}. Choose others in the editor.`;

const short = (name = ''): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
