import type { FleetSummary } from '@telltale/domain/channels/fleet-contract.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useCan } from '../../api/session.ts';
import { deviceStateTone } from '../../channels/DeviceState.tsx';
import { useTriggeredCount } from '../../layout/TriggeredCount.tsx';
import { StateLabel, type Tone } from '../../ui/StateLabel.tsx';
import styles from './Fleet.module.css';

/** The state of the devices in a few figures, with links to the counted objects; alerts only for users who may see them. */
export function FleetGlance({ fleet }: { fleet: FleetSummary }) {
  const canListAlerts = useCan()('list_alerts');
  const triggered = useTriggeredCount();
  const online = fleet.connected + fleet.reporting;
  return (
    <section className={styles.glance} aria-label="Devices at a glance">
      <Figure to="/mqtt" title="Online" tone={deviceStateTone('reporting')} value={`${shown(online)} of ${shown(fleet.devices)}`} />
      <Figure to="/mqtt" title="Late" tone={fleet.late > 0 ? deviceStateTone('late') : 'neutral'} value={shown(fleet.late)} />
      <Figure to="/mqtt" title="Silent" tone={deviceStateTone('silent')} value={shown(fleet.silent)} />
      <Figure title="Rejected today" tone={fleet.rejected > 0 ? 'warning' : 'neutral'} value={shown(fleet.rejected)} />
      {canListAlerts && (
        <Figure to="/alerts" title="Triggered alerts" tone={triggered > 0 ? 'danger' : 'neutral'} value={shown(triggered)} />
      )}
    </section>
  );
}

const shown = (count: number) => count.toLocaleString('en');

interface FigureProps {
  title: string;
  tone: Tone;
  value: string;
  to?: string;
}

function Figure({ title, tone, value, to }: FigureProps) {
  const content: ReactNode = (
    <>
      <StateLabel tone={tone}>{title}</StateLabel>
      <strong>{value}</strong>
    </>
  );
  return to ? (
    <Link className={styles.figure} to={to}>
      {content}
    </Link>
  ) : (
    <div className={styles.figure}>{content}</div>
  );
}
