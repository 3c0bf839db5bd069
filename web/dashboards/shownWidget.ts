import type { ColumnDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import { widgetTitle } from '@telltale/domain/dashboards/titles.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { typeOfWidget } from '../grid/widgetPosition.ts';
import type { StoredOptions } from '../visualizations/define.ts';
import { findVisualization } from '../visualizations/index.ts';

export interface ShownQuery {
  id: number;
  name: string;
  description: string | null;
  options: QueryOptions;
  column_display?: ColumnDisplay;
  latest_query_data_id?: number | null;
  stale_seconds?: number | null;
  reads_devices?: boolean;
  is_safe?: boolean;
}

export interface ShownVisualization {
  id?: number;
  type: string;
  name: string;
  description: string;
  options: StoredOptions;
  query: ShownQuery;
}

/** The drawn parts of a widget: users and readers of a shared dashboard get different answers, and see the same. */
export interface ShownWidget {
  id: number;
  width: number;
  options: WidgetOptions;
  text?: string | undefined;
  visualization?: ShownVisualization | undefined;
  restricted?: true | undefined;
}

export const isTextBox = (widget: ShownWidget): boolean => !widget.restricted && typeOfWidget(widget) === undefined;

/** The id of the stored result of a query without parameters, for requests that accept any age. */
export const storedResultOf = ({ options, latest_query_data_id }: ShownQuery): number | null =>
  options.parameters.length === 0 ? (latest_query_data_id ?? null) : null;

export function titleOfWidget({ visualization, restricted, options }: ShownWidget): string {
  if (restricted) return 'Restricted widget';
  if (options.live && !visualization) return `Live uplinks of ${options.live.channelid}`;
  if (!visualization) return 'Text';
  return widgetTitle(visualization, visualization.query, findVisualization(visualization.type)?.name ?? '');
}
