import type { Alert } from '@telltale/domain/alerts/contract.ts';
import { useMemo } from 'react';
import { useCan } from '../../api/session.ts';
import { DeliveryLog } from '../../destinations/DeliveryLog.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../AlertPage.module.css';
import { AlertStatus } from '../AlertState.tsx';
import { draftOf } from '../draft.ts';
import { Criteria } from '../form/Criteria.tsx';
import { DeviceRows } from '../form/DeviceRows.tsx';
import { QueryRow } from '../form/QueryRow.tsx';
import { RearmText } from '../form/RearmRow.tsx';
import { TemplateText } from '../form/TemplateRow.tsx';
import { CommandsPanel } from '../panels/CommandsPanel.tsx';
import { DestinationsPanel } from '../panels/DestinationsPanel.tsx';
import { ReplayChart } from '../replay/ReplayChart.tsx';
import { useAlertDeliveries, useQuerySetting } from '../useAlerts.ts';
import { AlertHeader } from './AlertHeader.tsx';
import { DeviceStates } from './DeviceStates.tsx';
import { EvaluationLog } from './EvaluationLog.tsx';
import { MutedBanner } from './MutedBanner.tsx';
import { statusReason } from './statusReason.ts';

/** /alerts/:alertId */
export function AlertView({ alert }: { alert: Alert }) {
  const can = useCan();
  const { id, query, options, rearm, last_triggered_at, last_evaluation, devices } = alert;
  const isOnQuery = options.kind === 'query';
  const { data: setting } = useQuerySetting(isOnQuery ? query?.id : undefined);
  // The same object until a setting changes, so that the replay is not loaded again with every reading.
  const settings = JSON.stringify([alert.name, query?.id, options, rearm]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `settings` stands for what a draft is made of
  const draft = useMemo(() => draftOf(alert), [settings]);
  return (
    <div className={styles.page}>
      <AlertHeader alert={alert} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {options.muted && <MutedBanner alert={alert} />}
          <section className={styles.status} aria-label="Status">
            <p className={styles.state}>
              <AlertStatus state={alert.state} />
              {last_triggered_at && (
                <span className={styles.since}>
                  Last triggered <TimeAgo date={last_triggered_at} />
                </span>
              )}
              {last_evaluation && (
                <span className={styles.since}>
                  Last evaluated <TimeAgo date={last_evaluation.evaluated_at} />
                </span>
              )}
            </p>
            <p className={styles.reason}>{statusReason(alert)}</p>
          </section>
          <div className={styles.facts}>
            {isOnQuery && <QueryRow query={query} setting={query ?? undefined} />}
            {isOnQuery ? <Criteria draft={draft} setting={setting} /> : <DeviceRows draft={draft} />}
            <RearmText rearm={rearm ?? 0} />
            <TemplateText hasTemplate={draft.hasTemplate} />
          </div>
          <ReplayChart draft={draft} moment={`${alert.state} ${last_triggered_at}`} />
        </div>
        <div className={styles.logs}>
          {devices && <DeviceStates channelId={isOnQuery ? '' : options.channel_id} devices={devices} />}
          <EvaluationLog alertId={id} hasDevices={!isOnQuery} />
          <DeliveryLog deliveries={useAlertDeliveries(id)} hasTargets empty="Nothing was sent yet." />
        </div>
        <aside className={styles.side}>
          <DestinationsPanel alertId={id} />
          {can('list_alerts') && <CommandsPanel alertId={id} canEdit={alert.can_edit} />}
        </aside>
      </div>
    </div>
  );
}
