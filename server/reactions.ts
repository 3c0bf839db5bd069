import { alertFired } from './alerts/alert-signals.ts';
import { queueCheck } from './alerts/alerts.jobs.ts';
import { removeAlertsOf } from './alerts/alerts.ts';
import { noteFailedRun } from './alerts/query-alerts.ts';
import { devicesRemoved } from './channels/device-signals.ts';
import { fireLinked } from './commands/alert-commands.ts';
import { cancelOfDevices } from './commands/deliveries.ts';
import { refuseWhileShown, removeWidgetsOf } from './dashboards/dashboard-reactions.ts';
import { on } from './platform/signals.ts';
import { queryArchived, scheduledRunFailed } from './queries/query-signals.ts';
import { resultStored } from './results/result-signals.ts';
import { visualizationRemoving } from './visualizations/visualization-signals.ts';

/** Binds signals to their reactions. Every process does this, because any process may emit a signal. Binding twice changes nothing. */
export function bindReactions(): void {
  on(queryArchived, removeWidgetsOf);
  on(queryArchived, removeAlertsOf);
  on(visualizationRemoving, refuseWhileShown);
  on(resultStored, queueCheck);
  on(scheduledRunFailed, noteFailedRun);
  on(alertFired, fireLinked);
  on(devicesRemoved, cancelOfDevices);
}
