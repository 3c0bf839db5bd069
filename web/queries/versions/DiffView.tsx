import { useMemo } from 'react';
import styles from './DiffView.module.css';
import { type DiffLine, lineDiff } from './lineDiff.ts';

const context = 3;
const most = 2000;
const signs = { same: ' ', removed: '−', added: '+' };
const words = { same: '', removed: 'removed: ', added: 'added: ' };

interface DiffViewProps {
  before: string;
  after: string;
  /** What it compares, for those who only hear it. */
  label: string;
}

/** Only what differs, with a few lines around it. */
export function DiffView({ before, after, label }: DiffViewProps) {
  const parts = useMemo(() => folded(lineDiff(before.split('\n'), after.split('\n')).slice(0, most)), [before, after]);
  if (before === after) return <p className={styles.same}>The texts are the same.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long difference is scrolled by keyboard, too
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {parts.map((part, at) =>
        typeof part === 'number' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={at} className={styles.fold}>
            {part} {part === 1 ? 'line' : 'lines'} without a change
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={at} className={`${styles.line} ${styles[part.kind]}`}>
            <span aria-hidden>{signs[part.kind]}</span>
            <span className="visually-hidden">{words[part.kind]}</span>
            {part.text}
          </div>
        ),
      )}
    </section>
  );
}

/** Long stretches without a change become their number. */
function folded(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const isNear = (at: number) => lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same');
  const parts: (DiffLine | number)[] = [];
  for (const [at, line] of lines.entries()) {
    const last = parts.at(-1);
    if (line.kind !== 'same' || isNear(at)) parts.push(line);
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1;
    else parts.push(1);
  }
  return parts;
}
