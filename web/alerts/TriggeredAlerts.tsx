import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { Link } from 'react-router';
import { useRead } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import { StateLabel } from '../ui/StateLabel.tsx';

/** The alerts that this device has triggered, as links; nothing where there are none. */
export function TriggeredAlerts({ channelId, deviceId }: { channelId: string; deviceId: string }) {
  const isAllowed = useCan()('list_alerts');
  const { data } = useRead(alertsApi.ofDevice, { params: { id: channelId, deviceId } }, { enabled: isAllowed, refetchInterval: 10_000 });
  return (data ?? [])
    .filter(({ state }) => state === 'triggered')
    .slice(0, 3)
    .map(({ id, name }) => (
      <StateLabel key={id} tone="danger">
        <Link to={`/alerts/${id}`}>{name}</Link>
      </StateLabel>
    ));
}
