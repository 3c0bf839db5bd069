import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import { TimeAgo } from '../../../ui/TimeAgo.tsx';
import { Reading } from '../data/Reading.tsx';
import { isSwitch, type Point } from '../data/readings.ts';
import { Sparkline } from '../data/Sparkline.tsx';
import styles from './Dashboard.module.css';
import { TileHead } from './TileGrip.tsx';

interface ValueTileProps {
  value: LastValue;
  display: AttributeDisplay | undefined;
  points: readonly Point[];
  /** The time span of the points. */
  seconds: number;
  /** "last hour" */
  spanText: string;
}

export function ValueTile({ value, display, points, seconds, spanText }: ValueTileProps) {
  return (
    <article className={styles.tile} aria-label={value.attribute}>
      <TileHead title={value.attribute} />
      <output className={styles.reading}>
        <Reading value={value} display={display} mostLetters={60} />
      </output>
      <Sparkline
        points={points}
        seconds={seconds}
        isStepped={isSwitch(value)}
        label={`${value.attribute} over the ${spanText}`}
        width={640}
        height={36}
      />
      <footer>
        <TimeAgo date={value.time} />
      </footer>
    </article>
  );
}
