import type { PointChange, RerunPreview } from '@telltale/domain/decoders/contract.ts';
import { Button } from 'antd';
import { momentText } from '../../ui/momentText.ts';
import styles from './Decoder.module.css';

interface PreviewViewProps {
  preview: RerunPreview;
  isStarting: boolean;
  onStart: () => void;
}

const figure = (count: number) => count.toLocaleString('en');
const words: Record<PointChange['change'], string> = { added: 'Added', changed: 'Changed', gone: 'Gone' };

/** Scrolls to the preview, which stands unnoticed at the end of the page. */
const showNow = (element: HTMLElement | null) => void element?.scrollIntoView({ block: 'nearest' });

/** design 8.1: the number of readings that would be added, changed and removed, and some of them. */
export function PreviewView({ preview, isStarting, onStart }: PreviewViewProps) {
  const { uplinks, total, added, changed, gone, failed, kept, errors, examples } = preview;
  const isNothing = added + changed + gone === 0;
  return (
    <div className={styles.preview} ref={showNow}>
      <dl className={styles.counts} aria-label="What would change">
        {Object.entries({ Messages: uplinks, Added: added, Changed: changed, Gone: gone, Failed: failed }).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure(count)}</dd>
          </div>
        ))}
      </dl>
      {total > uplinks && (
        <p className={styles.hint}>
          Looked at {figure(uplinks)} of {figure(total)} messages; the run takes all of them.
        </p>
      )}
      {failed > 0 && (
        <p className={styles.hint}>
          The script fails on {figure(failed)} messages; their {figure(kept)} readings stay. {errors[0]}
        </p>
      )}
      {examples.length > 0 && <Changes examples={examples} />}
      {isNothing ? (
        <p>Nothing would change.</p>
      ) : (
        <Button type="primary" loading={isStarting} onClick={onStart}>
          Re-decode {figure(total)} {total === 1 ? 'message' : 'messages'}
        </Button>
      )}
    </div>
  );
}

function Changes({ examples }: { examples: readonly PointChange[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard, too
    <section className={styles.scroll} aria-label="Some of the changes" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Device</th>
            <th scope="col">Time</th>
            <th scope="col">Attribute</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ change, device_id, time, attribute, before, after }) => (
            <tr key={`${change} ${device_id} ${time} ${attribute}`}>
              <td>{words[change]}</td>
              <td>{device_id}</td>
              <td>{momentText(time, 'second')}</td>
              <td className={styles.mono}>{attribute}</td>
              <td className={styles.mono}>{before === null ? '–' : String(before)}</td>
              <td className={styles.mono}>{after === null ? '–' : String(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
