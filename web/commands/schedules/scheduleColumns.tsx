import type { Schedule } from '@telltale/domain/commands/schedule.ts';
import type { Column } from '../../ui/ItemsPage.tsx';
import { wallText } from '../../ui/momentText.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Schedules.module.css';
import { wallClock } from './zones.ts';

const typeNames: Readonly<Record<Schedule['type'], string>> = { o: 'One Time', r: 'Recurring', e: 'Event' };

export const scheduleColumns: readonly Column<Schedule>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ name, sentence }) => (
      <span className={styles.named}>
        {name && <strong>{name}</strong>}
        <span className={name ? styles.hint : undefined}>{sentence}</span>
      </span>
    ),
  },
  { title: 'Type', sort: 'type', cell: ({ type }) => typeNames[type], width: 104, hideBelow: 640 },
  {
    title: 'Time zone',
    sort: 'timezone',
    cell: ({ type, timezone }) => (type === 'e' ? '–' : timezone.replaceAll('_', ' ')),
    width: 152,
    hideBelow: 800,
  },
  { title: 'Next run', sort: 'next_run_at', cell: (schedule) => <NextRun schedule={schedule} />, width: 176 },
  {
    title: 'Last run',
    sort: 'last_run_at',
    cell: ({ last_run_at }) => <TimeAgo date={last_run_at} placeholder="Never" />,
    width: 128,
    hideBelow: 960,
  },
];

const eventStates = { armed: 'Armed', active: 'Condition holds', unknown: 'No value yet' } as const;

function NextRun({ schedule: { type, suspended_at, state, next_run_at, timezone } }: { schedule: Schedule }) {
  if (suspended_at !== null) return <StateLabel tone="warning">Suspended</StateLabel>;
  if (type === 'e') return <StateLabel tone={state === 'active' ? 'info' : 'neutral'}>{eventStates[state ?? 'unknown']}</StateLabel>;
  if (next_run_at === null) return <span className={styles.hint}>Over</span>;
  return (
    <time dateTime={next_run_at} title={`${wallText(wallClock(new Date(next_run_at), 'UTC'))} UTC`}>
      {wallText(wallClock(new Date(next_run_at), timezone))}
    </time>
  );
}
