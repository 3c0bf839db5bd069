import { deviceAddress } from '@telltale/domain/channels/address.ts';
import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import dayjs from 'dayjs';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { watchUplinks } from '../../api/live/live.ts';
import type { UplinkState } from '../../api/live/UplinkFeed.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { figureText } from '../../ui/figureText.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import styles from '../Channels.module.css';
import { useNewestDevices } from '../useChannels.ts';

const mostShown = 100;

/** Live reports of the devices of a channel: of those that reported last, as many as one socket follows. */
export default function LiveData({ channel }: { channel: ChannelDetail }) {
  const { channel_id, kind } = channel;
  const { data } = useNewestDevices(channel_id, liveLimits.devices);
  const ids = data?.results.map(({ device_id }) => device_id).sort() ?? [];
  const { records, state } = useChannelFeed(channel_id, ids.join(' '));
  return (
    <section className={styles.live} aria-label="Live data">
      <p role="status">
        <StateLabel tone={state === 'live' ? 'ok' : 'neutral'}>{state === 'live' ? 'Live' : 'Connecting…'}</StateLabel>
      </p>
      {records.length === 0 ? (
        <EmptyState>Nothing was reported yet. Uplinks appear here at once.</EmptyState>
      ) : (
        <ol className={styles.uplinks} aria-label="Uplinks">
          {records.map((record) => (
            <li key={`${record.uplink_id} ${record.status}`}>
              <time dateTime={record.received_at}>{dayjs(record.received_at).format('HH:mm:ss')}</time>
              <Link to={deviceAddress(channel_id, record.device_id, kind)}>{record.device_name}</Link>
              <span className={styles.radio}>{radioText(record)}</span>
              <span className={styles.values}>{valuesText(record)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function useChannelFeed(channel: string, devices: string) {
  const [state, setState] = useState<UplinkState>('connecting');
  const [records, setRecords] = useState<readonly UplinkRecord[]>([]);
  useEffect(() => {
    if (devices === '') return;
    setRecords([]);
    return watchUplinks(
      { channel, devices: devices.split(' '), tail: 5 },
      {
        onState: setState,
        onUplinks: (added) => setRecords((before) => newestFirst([...before, ...added])),
        onGap: () => {},
        onRefused: () => setState('offline'),
      },
    );
  }, [channel, devices]);
  return { state, records };
}

function newestFirst(records: readonly UplinkRecord[]): readonly UplinkRecord[] {
  const byId = new Map(records.map((record) => [`${record.uplink_id} ${record.status}`, record]));
  return [...byId.values()].sort((a, b) => (a.uplink_id < b.uplink_id ? 1 : -1)).slice(0, mostShown);
}

function radioText({ fcnt, fport, lora }: UplinkRecord): string {
  const part = (name: string, value: unknown, unit = '') => (typeof value === 'number' ? `${name}${figureText(value)}${unit}` : null);
  return [part('#', fcnt), part('port ', fport), part('SF', lora?.sf), part('', lora?.rssi, ' dBm'), part('', lora?.snr, ' dB')]
    .filter(Boolean)
    .join(' · ');
}

const valuesText = ({ values, errors }: UplinkRecord): string =>
  errors[0] ??
  Object.entries(values)
    .filter(([name]) => !/^(lora|sys)\./.test(name))
    .map(([name, value]) => `${name} ${typeof value === 'number' ? figureText(value) : String(value)}`)
    .join(', ');
