import type { AlertOptions, AlertState, Threshold } from '@telltale/domain/alerts/options.ts';
import { renderTemplate, type TemplateValue, type TemplateValues } from '@telltale/domain/alerts/template.ts';
import { intervalText } from '@telltale/domain/alerts/wording.ts';
import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import type { AlertNotice } from '../notifiers/notice.ts';
import type { Ctx } from '../platform/context.ts';
import { escapeHtml } from '../platform/html.ts';
import { absoluteLink } from '../session/account-links.ts';
import type { AlertRow } from './alerts.store.ts';

export interface DeviceFacts {
  pk: number;
  device_id: string;
  device_name: string;
  channel_id: string;
}

/** The data that an alert evaluated. */
export interface Sight {
  value: unknown;
  query?: { id: number; name: string } | undefined;
  /** The first rows of the result. */
  rows?: readonly ResultRow[];
  columns?: readonly ResultColumn[];
  isCut?: boolean;
  device?: DeviceFacts | undefined;
  metadata?: Record<string, unknown>;
}

const tableRows = 50;
const longestCell = 200;

const shownValue = (value: unknown): string =>
  value === null || value === undefined ? 'UNKNOWN' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The condition, its threshold and its selector, for notices and templates. */
function conditionOf(options: AlertOptions): { condition: string; threshold: Threshold | null; selector: string } {
  if (options.kind === 'silence') return { condition: 'no data for', threshold: intervalText(options.silent_seconds), selector: '' };
  return { condition: options.op, threshold: options.value, selector: options.kind === 'query' ? options.selector : '' };
}

function tableOf({ rows, columns = [], isCut = false }: Sight): AlertNotice['table'] {
  if (!rows || rows.length === 0) return null;
  const cells = (row: ResultRow) => columns.map(({ name }) => shownCell(row[name]).slice(0, longestCell));
  return { columns: columns.map(({ name }) => name), rows: rows.slice(0, tableRows).map(cells), isCut: isCut || rows.length > tableRows };
}

const shownCell = (value: unknown): string => (value === null || value === undefined ? '' : shownValue(value));

/** server-behaviour 14.5, with additional values for alerts on devices. */
function templateValues(ctx: Ctx, alert: AlertRow, state: AlertState, sight: Sight): TemplateValues {
  const { condition, threshold, selector } = conditionOf(alert.options);
  const { query, device, rows = [], columns = [] } = sight;
  return {
    ALERT_NAME: alert.name,
    ALERT_URL: absoluteLink(ctx, `/alerts/${alert.id}`),
    ALERT_STATUS: state.toUpperCase(),
    ALERT_SELECTOR: selector,
    ALERT_CONDITION: condition,
    ALERT_THRESHOLD: threshold === null ? '' : String(threshold),
    QUERY_NAME: query?.name ?? '',
    QUERY_URL: query ? absoluteLink(ctx, `/queries/${query.id}`) : '',
    QUERY_RESULT_VALUE: shownValue(sight.value),
    QUERY_RESULT_ROWS: rows as readonly TemplateValue[],
    QUERY_RESULT_COLS: columns,
    QUERY_RESULT_TABLE: rows.map((row) => columns.map(({ name }) => row[name] as TemplateValue)),
    DEVICE_ID: device?.device_id ?? '',
    DEVICE_NAME: device?.device_name ?? '',
    CHANNEL_ID: device?.channel_id ?? '',
    ATTRIBUTE: alert.options.kind === 'device' ? alert.options.attribute : '',
  };
}

export const hasTags = (template: string): boolean => /<[a-z!/][^<>]*>/i.test(template);

/** Keeps the HTML tags of a template; a text without tags keeps its line breaks. */
function htmlOf(template: string, values: TemplateValues): string {
  if (hasTags(template)) return renderTemplate(template, values, escapeHtml);
  return escapeHtml(renderTemplate(template, values)).replace(/\r?\n/g, '<br>');
}

/** True when a template shows more rows of a result than usual. */
export const showsRows = ({ options }: AlertRow): boolean =>
  /QUERY_RESULT_(?:ROWS|TABLE)/.test(`${options.custom_subject ?? ''}${options.custom_body ?? ''}${options.template ?? ''}`);

export function alertNotice(ctx: Ctx, alert: AlertRow, state: AlertState, sight: Sight): AlertNotice {
  const values = templateValues(ctx, alert, state, sight);
  const { custom_subject, options } = { ...alert.options, options: alert.options };
  const body = options.custom_body || options.template || null;
  const { condition, threshold } = conditionOf(options);
  const { query, device, metadata = {} } = sight;
  const { id, name, rearm, query_id, user_id, created_at, updated_at } = alert;
  return {
    event: 'alert_state_change',
    subject: custom_subject ? renderTemplate(custom_subject, values).replace(/\s+/g, ' ').trim() || null : null,
    body: body === null ? null : renderTemplate(body, values),
    html: body === null ? null : htmlOf(body, values),
    alert: {
      id,
      name,
      options: { ...options },
      state,
      last_triggered_at: ctx.now.toISOString(),
      updated_at,
      created_at,
      rearm,
      query_id,
      user_id,
    },
    value: options.kind === 'silence' ? silenceText(state, sight.value) : shownValue(sight.value),
    condition,
    threshold: options.kind === 'silence' ? null : threshold,
    host: absoluteLink(ctx, ''),
    alert_url: absoluteLink(ctx, `/alerts/${id}`),
    query: query ? { ...query, url: absoluteLink(ctx, `/queries/${query.id}`) } : null,
    device: device ? { channel_id: device.channel_id, device_id: device.device_id, device_name: device.device_name } : null,
    table: tableOf(sight),
    metadata,
  };
}

/** For alerts on silence, the value is the time when the device was last heard. */
function silenceText(state: AlertState, lastSeen: unknown): string {
  if (state === 'ok') return 'it reports again.';
  return typeof lastSeen === 'string' ? `nothing since ${lastSeen}.` : 'it has never reported.';
}
