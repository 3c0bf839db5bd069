import type { AlertState } from '@telltale/domain/alerts/options.ts';
import type { TemplateValue, TemplateValues } from '@telltale/domain/alerts/template.ts';
import { intervalText } from '@telltale/domain/schedules/intervals.ts';
import type { AlertDraft } from '../draft.ts';
import type { PreviewSource } from './TemplatePreview.tsx';

/** The values that the server would fill in, as far as they are known here. */
export function previewValues(
  draft: AlertDraft,
  source: PreviewSource,
  state: AlertState,
  row: number,
  origin = location.origin,
): TemplateValues {
  const { kind, query, column, op, value, selector } = draft;
  const { alertId, name, columns } = source;
  // Rows are JSON, like the values of a template.
  const rows = source.rows as readonly Record<string, TemplateValue>[];
  const chosen = rows[Math.min(row, rows.length - 1)];
  const common = {
    ALERT_NAME: name,
    ALERT_URL: `${origin}/alerts/${alertId ?? '…'}`,
    ALERT_STATUS: state.toUpperCase(),
    ALERT_CONDITION: kind === 'silence' ? 'no data for' : op,
    ALERT_THRESHOLD: kind === 'silence' ? intervalText(draft.silent_seconds) : value,
  };
  if (kind !== 'query')
    return {
      ...common,
      QUERY_RESULT_VALUE: kind === 'silence' ? 'UNKNOWN' : value,
      DEVICE_ID: draft.device_ids[0] ?? 'device-1',
      DEVICE_NAME: draft.device_ids[0] ?? 'Device 1',
      CHANNEL_ID: draft.channel_id,
      ATTRIBUTE: kind === 'device' ? draft.attribute : '',
    };
  return {
    ...common,
    ALERT_SELECTOR: selector,
    QUERY_NAME: query?.name,
    QUERY_URL: query ? `${origin}/queries/${query.id}` : '',
    QUERY_RESULT_VALUE: chosen?.[column] ?? 'UNKNOWN',
    QUERY_RESULT_ROWS: rows,
    QUERY_RESULT_COLS: columns,
    QUERY_RESULT_TABLE: rows.map((one) => columns.map((column) => one[column.name])),
  };
}
