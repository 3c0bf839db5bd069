import type { RecentUplink } from '@telltale/domain/decoders/contract.ts';
import { Alert, Button } from 'antd';
import { Section } from '../../ui/Section.tsx';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Decoder.module.css';
import { useRunRecent } from './useDecoder.ts';

const longestBytes = 24;

/** iot-behaviour 4.2: the script's output for real uplinks. */
export function RecentUplinks({ channelId, script, isEmpty }: { channelId: string; script: string | undefined; isEmpty: boolean }) {
  const run = useRunRecent();
  return (
    <Section level={2} title="Last 20 uplinks">
      <p className={styles.hint}>
        Runs the script of the editor on the newest messages of bytes, with the variables of their devices. Nothing is stored.
      </p>
      <Button disabled={isEmpty} loading={run.isPending} onClick={() => run.mutate({ params: { id: channelId }, body: { script } })}>
        Run on last 20 uplinks
      </Button>
      {run.error && <Alert type="error" showIcon title={run.error.message} />}
      {run.data?.length === 0 && <p>No device of this channel has sent bytes yet.</p>}
      {run.data && run.data.length > 0 && <RecentTable uplinks={run.data} />}
    </Section>
  );
}

function RecentTable({ uplinks }: { uplinks: readonly RecentUplink[] }) {
  const failed = uplinks.filter(({ errors }) => errors.length > 0).length;
  return (
    <>
      <p role="status">
        {uplinks.length - failed} of {uplinks.length} decoded{failed > 0 && `, ${failed} failed`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard, too */}
      <section className={styles.scroll} aria-label="Last 20 uplinks" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Received</th>
              <th scope="col">Device</th>
              <th scope="col">fPort</th>
              <th scope="col">Bytes</th>
              <th scope="col">Result</th>
              <th scope="col" className={styles.number}>
                ms
              </th>
            </tr>
          </thead>
          <tbody>
            {uplinks.map((uplink) => (
              <tr key={uplink.uplink_id}>
                <td>
                  <TimeAgo date={uplink.received_at} />
                </td>
                <td>{uplink.device_id}</td>
                <td>{uplink.f_port}</td>
                <td className={styles.mono} title={uplink.bytes}>
                  {uplink.bytes.length > longestBytes ? `${uplink.bytes.slice(0, longestBytes)}…` : uplink.bytes}
                </td>
                <td className={styles.result}>
                  {uplink.errors.length > 0 ? (
                    <StateLabel tone="danger">{uplink.errors.join('; ')}</StateLabel>
                  ) : (
                    <code>{JSON.stringify(uplink.data)}</code>
                  )}
                  {uplink.warnings.length > 0 && <StateLabel tone="warning">{uplink.warnings.join('; ')}</StateLabel>}
                </td>
                <td className={styles.number}>{uplink.ms.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
