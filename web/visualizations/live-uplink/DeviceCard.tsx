import dayjs from 'dayjs';
import { memo, type ReactNode, useState } from 'react';
import { figureText } from '../../ui/figureText.ts';
import { StateLabel, type Tone } from '../../ui/StateLabel.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { timeAgo } from '../../ui/timeAgo.ts';
import { useNow } from '../../ui/useNow.ts';
import { plainText } from '../cellValue.ts';
import { JsonTree } from '../columns/JsonTree.tsx';
import { type DeviceFeed, keyOf, shownValues } from './deviceFeeds.ts';
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
/** Labels for unusual states only: stored records need none. */
const odd: Readonly<Record<string, Tone>> = { partial: 'warning', duplicate: 'info', rejected: 'danger' };

export const DeviceCard = memo(function DeviceCard({ device, feed, options, nullText }: DeviceCardProps) {
  const records = feed?.records ?? [];
  // A rejected record does not hide the last readable one.
  const newest = records.find(({ status }) => status !== 'rejected') ?? records[0];
  const earlier = records.filter((record) => record !== newest);
  const refused = records[0] === newest ? undefined : records[0];
  const gaps = feed?.gaps;
  return (
    <article className={styles.card}>
      <div className={styles.title}>
        <strong title={device}>{newest?.device_name || device}</strong>
        {newest && <Arrival record={newest} format={options.dateTimeFormat} />}
      </div>
      {feed?.isMissing && <p className={styles.none}>This device was deleted.</p>}
      {refused && (
        <p className={styles.fault}>
          <Arrival record={refused} format={options.dateTimeFormat} />
          {refused.errors?.join(', ')}
        </p>
      )}
      <Gap count={gaps?.get(newest?.uplink_id ?? '')} />
      {newest && <Values record={newest} fields={options.fields} nullText={nullText} />}
      {!newest && !feed?.isMissing && <p className={styles.none}>Waiting for data…</p>}
      {newest && (
        <Folded title="Raw payload">
          <JsonTree value={newest} isOpen />
        </Folded>
      )}
      {earlier.length > 0 && (
        <Folded title={`${earlier.length} ${refused ? 'other' : 'earlier'} ${earlier.length === 1 ? 'message' : 'messages'}`}>
          {earlier.map((record) => (
            <Earlier key={keyOf(record)} record={record} options={options} nullText={nullText} gap={gaps?.get(record.uplink_id)} />
          ))}
          <Gap count={gaps?.get('')} />
        </Folded>
      )}
    </article>
  );
});

/** Folded content is not drawn: it changes many times a second. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

interface EarlierProps extends Pick<DeviceCardProps, 'options' | 'nullText'> {
  record: FeedRecord;
  gap: number | undefined;
}

const Earlier = memo(function Earlier({ record, options, nullText, gap }: EarlierProps) {
  return (
    <>
      <Gap count={record.status === 'duplicate' ? undefined : gap} />
      <div className={styles.earlier}>
        <Arrival record={record} format={options.dateTimeFormat} isClock />
        <Values record={record} fields={options.fields} nullText={nullText} />
      </div>
    </>
  );
});

/** iot-behaviour 1.11: marks missing records between two others. */
const Gap = ({ count }: { count: number | undefined }) =>
  count ? (
    <p className={styles.gap}>
      {count.toLocaleString('en')} {count === 1 ? 'uplink is' : 'uplinks are'} not shown here
    </p>
  ) : null;

function Arrival({ record, format, isClock = false }: { record: FeedRecord; format: string; isClock?: boolean }) {
  const tone = odd[record.status];
  return (
    <span className={styles.arrival}>
      {tone && <StateLabel tone={tone}>{record.status}</StateLabel>}
      <Received at={record.received_at} format={format} isClock={isClock} />
    </span>
  );
}

interface ValuesProps {
  record: FeedRecord;
  fields: readonly string[];
  nullText: string;
}

function Values({ record, fields, nullText }: ValuesProps) {
  const values = record.status === 'rejected' ? [] : shownValues(record, fields).slice(0, mostValues);
  if (values.length === 0) return <p className={styles.none}>{record.errors?.join(', ') || 'No values.'}</p>;
  return (
    <dl className={styles.values}>
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          {value === null ? <dd className={styles.null}>{nullText}</dd> : <dd>{textOf(value)}</dd>}
        </div>
      ))}
    </dl>
  );
}

const textOf = (value: unknown): string => (typeof value === 'number' ? figureText(value) : plainText(value).slice(0, mostLetters));

/** The time of reception in local time; without a session, which a shared dashboard does not have. */
function Received({ at, format, isClock }: { at: string; format: string; isClock: boolean }) {
  const now = useNow();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <time>{at.slice(0, 40)}</time>;
  return (
    <Tooltip title={dayjs(date).format(format)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard (screens 1.4) */}
      <time dateTime={date.toISOString()} tabIndex={0}>
        {isClock ? clockText(date, now) : timeAgo(date, now)}
      </time>
    </Tooltip>
  );
}

/** Shows the exact time: for many records within a minute, "just now" says nothing. */
const clockText = (date: Date, now: Date): string =>
  dayjs(date).format(date.toDateString() === now.toDateString() ? 'HH:mm:ss' : 'D MMM HH:mm:ss');
