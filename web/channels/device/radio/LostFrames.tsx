import type { RadioFrame } from '@telltale/domain/channels/data-contract.ts';
import { momentText } from '../../../ui/momentText.ts';
import styles from './Radio.module.css';

const mostShown = 8;

/** Gaps between frame counters: uplinks that no gateway received. */
export function LostFrames({ frames }: { frames: readonly RadioFrame[] }) {
  const gaps = frames.filter(({ lost }) => lost > 0).reverse();
  return (
    <section aria-label="Lost uplinks">
      <h3 className={styles.title}>Lost uplinks</h3>
      {gaps.length === 0 ? (
        <p className={styles.note}>No gap in the frame counter.</p>
      ) : (
        <ol className={styles.gaps}>
          {gaps.slice(0, mostShown).map(({ time, fcnt, lost }) => (
            <li key={time}>
              <time dateTime={time}>{momentText(time, 'second')}</time>
              <span>
                {lost.toLocaleString('en')} lost before #{fcnt}
              </span>
            </li>
          ))}
        </ol>
      )}
      {gaps.length > mostShown && <p className={styles.note}>and {gaps.length - mostShown} gaps before these</p>}
    </section>
  );
}
