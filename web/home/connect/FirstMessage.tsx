import { deviceAddress } from '@telltale/domain/channels/address.ts';
import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { Button } from 'antd';
import { Link } from 'react-router';
import { readingText } from '../../channels/device/data/readings.ts';
import { useLastValues } from '../../channels/device/data/useDeviceData.ts';
import { ChartButtons } from '../../channels/device/explore/ChartButtons.tsx';
import { Snippets } from '../../channels/device/Snippets.tsx';
import { useDeviceFeed } from '../../channels/device/useDeviceFeed.ts';
import { useDevice } from '../../channels/useChannels.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Connect.module.css';

interface FirstMessageProps {
  channel_id: string;
  device_id: string;
  onRestart: () => void;
}

const mostShown = 4;

export default function FirstMessage({ channel_id, device_id, onRestart }: FirstMessageProps) {
  const { data: device } = useDevice(channel_id, device_id);
  return device ? <Sending device={device} onRestart={onRestart} /> : <div className={styles.waiting} />;
}

/** The command on top; below it the received messages. */
function Sending({ device, onRestart }: { device: DeviceDetail; onRestart: () => void }) {
  const feed = useDeviceFeed(device.channel_id, device.device_id);
  const { values } = useLastValues(device, feed);
  const own = values.filter(({ attribute }) => !/^(lora|sys)\./.test(attribute));
  const [newest] = feed.records;
  const numbers = own.filter(({ kind }) => kind === 'n' || kind === 'b').map(({ attribute }) => attribute);
  return (
    <div className={styles.sending}>
      <p>
        Run this where your device is, or on this machine. It sends one value as{' '}
        <Link to={deviceAddress(device.channel_id, device.device_id)}>{device.name}</Link>.
      </p>
      <Snippets device={device} shows={['publish']} />
      <div className={styles.outcome} role="status" aria-live="polite">
        {own.length === 0 ? (
          <p className={styles.wait}>
            <span className={styles.pulse} aria-hidden />
            Waiting for the first message…
          </p>
        ) : (
          <>
            <StateLabel tone="ok">{device.name} is reporting</StateLabel>
            <dl className={styles.values}>
              {own.slice(0, mostShown).map((one) => (
                <div key={one.attribute}>
                  <dt>{one.attribute}</dt>
                  <dd>{readingText(one)}</dd>
                  <dd className={styles.at}>
                    <TimeAgo date={one.time} />
                  </dd>
                </div>
              ))}
            </dl>
          </>
        )}
        {newest?.status === 'rejected' && (
          <StateLabel tone="warning">The last message could not be read: {newest.errors?.[0] ?? 'unknown reason'}</StateLabel>
        )}
      </div>
      <footer className={styles.actions}>
        {numbers.length > 0 && <ChartButtons device={device} attributes={numbers} isFirst />}
        {own.length === 0 && (
          <Button type="link" size="small" className={styles.again ?? ''} onClick={onRestart}>
            Create another device
          </Button>
        )}
      </footer>
    </div>
  );
}
