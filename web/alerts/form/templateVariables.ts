import type { AlertKind } from '@telltale/domain/alerts/options.ts';

const ofAlerts = {
  ALERT_NAME: 'name of the alert',
  ALERT_URL: 'address of the alert',
  ALERT_STATUS: 'new state in capitals',
  ALERT_CONDITION: 'condition, as a symbol',
  ALERT_THRESHOLD: 'threshold',
  QUERY_RESULT_VALUE: 'watched value',
};
const ofQueries = {
  ALERT_SELECTOR: 'which rows count',
  QUERY_NAME: 'name of the query',
  QUERY_URL: 'address of the query',
  QUERY_RESULT_ROWS: 'rows: {{#QUERY_RESULT_ROWS}} {{column}} {{/QUERY_RESULT_ROWS}}',
  QUERY_RESULT_COLS: 'columns: {{#QUERY_RESULT_COLS}} {{name}} {{/QUERY_RESULT_COLS}}',
  QUERY_RESULT_TABLE: 'rows of the result as lists of values',
};
const ofDevices = {
  DEVICE_ID: 'id of the device',
  DEVICE_NAME: 'name of the device',
  CHANNEL_ID: 'id of its channel',
  ATTRIBUTE: 'watched attribute',
};

/** server-behaviour 14.5: the names that a subject and a body may use, with their meanings. */
export const templateVariables = (kind: AlertKind): Record<string, string> => ({
  ...ofAlerts,
  ...(kind === 'query' ? ofQueries : ofDevices),
});
