import type { ReactNode } from 'react';
import styles from './KindMark.module.css';

export interface Mark {
  /** The colour of its family. */
  tint: string;
  /** Two letters, or lines on a grid of 24. */
  glyph: string | ReactNode;
}

/** The mark of a kind of object: a data source, a destination. Its name always stands beside it. */
export function KindMark({ mark: { tint, glyph }, size = 24 }: { mark: Mark; size?: number | undefined }) {
  return (
    <svg className={styles.logo} style={{ color: tint }} viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <rect width="24" height="24" rx="6" fill="currentColor" fillOpacity=".15" />
      <g className={styles.glyph} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round">
        {typeof glyph === 'string' ? (
          <text className={styles.letters} x="12" y="16">
            {glyph}
          </text>
        ) : (
          glyph
        )}
      </g>
    </svg>
  );
}

/** A kind without a mark gets the first letters of its name, in grey. */
export function markOf(marks: Readonly<Record<string, Mark>>, type: string, typeName?: string): Mark {
  return (Object.hasOwn(marks, type) && marks[type]) || { tint: 'var(--series-10)', glyph: letters(typeName || type) || '?' };
}

function letters(name: string): string {
  const [first = '', second = ''] = [...name].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return first.toUpperCase() + second.toLowerCase();
}
