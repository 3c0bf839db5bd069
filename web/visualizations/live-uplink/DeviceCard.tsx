import dayjs from 'dayjs';
import { memo } from 'react';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { timeAgo } from '../../ui/timeAgo.ts';
import { useNow } from '../../ui/useNow.ts';
import { plainText } from '../cellValue.ts';
import { JsonTree } from '../columns/JsonTree.tsx';
import { type DeviceFeed, shownValues } from './deviceFeeds.ts';
import styles from './LiveUplink.module.css';
import type { FeedRecord } from './uplinkFeed.ts';
import type { UplinkOptions } from './uplinkOptions.ts';

interface DeviceCardProps {
  device: string;
  feed: DeviceFeed | undefined;
  options: UplinkOptions;
  nullText: string;
}

const mostValues = 100;
const mostLetters = 200;

export const DeviceCard = memo(function DeviceCard({ device, feed, options, nullText }: DeviceCardProps) {
  const [newest, ...earlier] = feed?.records ?? [];
  return (
    <article className={styles.card}>
      <div className={styles.title}>
        <strong title={device}>{newest?.device_name || device}</strong>
        {newest && <Received at={newest.received_at} format={options.dateTimeFormat} />}
      </div>
      {newest ? <Values record={newest} fields={options.fields} nullText={nullText} /> : <p className={styles.none}>Waiting for data…</p>}
      {feed !== undefined && feed.dropped > 0 && (
        <p className={styles.none}>{feed.dropped.toLocaleString('en')} uplinks came too fast to be shown.</p>
      )}
      {newest && (
        <details className={styles.more}>
          <summary>Record</summary>
          <JsonTree value={newest} isOpen />
        </details>
      )}
      {earlier.length > 0 && (
        <details className={styles.more}>
          <summary>{earlier.length} earlier</summary>
          {earlier.map((record) => (
            <div key={record.uplink_id} className={styles.earlier}>
              <Received at={record.received_at} format={options.dateTimeFormat} />
              <Values record={record} fields={options.fields} nullText={nullText} />
            </div>
          ))}
        </details>
      )}
    </article>
  );
});

interface ValuesProps {
  record: FeedRecord;
  fields: readonly string[];
  nullText: string;
}

function Values({ record, fields, nullText }: ValuesProps) {
  const values = shownValues(record, fields).slice(0, mostValues);
  if (values.length === 0) return <p className={styles.none}>No values ({record.status}).</p>;
  return (
    <dl className={styles.values}>
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          {value === null ? <dd className={styles.null}>{nullText}</dd> : <dd>{plainText(value).slice(0, mostLetters)}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Like other times of arrival in local time; here without a session, which a shared dashboard does not have. */
function Received({ at, format }: { at: string; format: string }) {
  const now = useNow();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <time>{at.slice(0, 40)}</time>;
  return (
    <Tooltip title={dayjs(date).format(format)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard (screens 1.4) */}
      <time dateTime={date.toISOString()} tabIndex={0}>
        {timeAgo(date, now)}
      </time>
    </Tooltip>
  );
}
