import { alertsApi, type DeviceAlert } from '@telltale/domain/alerts/contract.ts';
import { intervalText } from '@telltale/domain/schedules/intervals.ts';
import { Link } from 'react-router';
import { useRead } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import { useArrayItems } from '../api/useArrayItems.ts';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { NothingYet } from '../ui/NothingYet.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { AlertState } from './AlertState.tsx';
import styles from './AlertsPage.module.css';
import { operatorWords } from './form/operators.tsx';

interface DeviceAlertsProps {
  channelId: string;
  deviceId: string;
}

/** Alerts that watch this device, each with its state for this device. */
export function DeviceAlerts({ channelId, deviceId }: DeviceAlertsProps) {
  const isAllowed = useCan()('list_alerts');
  const { data } = useRead(alertsApi.ofDevice, { params: { id: channelId, deviceId } }, { enabled: isAllowed, refetchInterval: 10_000 });
  const items = useArrayItems(data ?? [], 5);
  if (!data) return null;
  const create = (
    <Link to={`/alerts/new?kind=device&channel_id=${encodeURIComponent(channelId)}&device_id=${encodeURIComponent(deviceId)}`}>
      New Alert
    </Link>
  );
  return (
    <ItemsPage
      title="Alerts"
      level={2}
      isPart
      action={create}
      items={items}
      columns={columns}
      empty={<NothingYet>No alert watches this device.</NothingYet>}
    />
  );
}

const columns: readonly Column<DeviceAlert>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link className={styles.name} to={`/alerts/${id}`} title={name}>
        {name}
      </Link>
    ),
  },
  { title: 'Triggers when', cell: ({ options }) => conditionText(options), width: '30%' },
  { title: 'State', cell: ({ state }) => <AlertState state={state} />, width: 128 },
  { title: 'Since', cell: ({ since }) => <TimeAgo date={since} />, width: 130 },
];

/** "temperature > 30 for 5 minutes", "no data for 10 minutes". */
function conditionText(options: DeviceAlert['options']): string {
  if (options.kind === 'silence') return `no data for ${intervalText(options.silent_seconds)}`;
  const what = options.kind === 'device' ? options.attribute : options.column;
  const span = options.kind === 'device' && options.for_seconds > 0 ? ` for ${intervalText(options.for_seconds)}` : '';
  return `${what} ${operatorWords[options.op].symbol} ${options.value}${span}`;
}
