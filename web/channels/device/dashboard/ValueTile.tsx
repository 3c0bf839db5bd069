import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import { TimeAgo } from '../../../ui/TimeAgo.tsx';
import { type Point, readingText } from '../data/readings.ts';
import { Sparkline } from '../data/Sparkline.tsx';
import styles from './Dashboard.module.css';

export function ValueTile({ value, points }: { value: LastValue; points: readonly Point[] }) {
  return (
    <article className={styles.tile} aria-label={value.attribute}>
      <header data-move>{value.attribute}</header>
      <output className={styles.reading}>{readingText(value).slice(0, 60)}</output>
      <Sparkline points={points} label={`${value.attribute} over the last 24 hours`} width={640} height={36} />
      <footer>
        <TimeAgo date={value.time} />
      </footer>
    </article>
  );
}
