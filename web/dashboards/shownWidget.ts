import { type FullPosition, positionOf } from '@telltale/domain/dashboards/grid.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import type { MappedWidget } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { widgetTitle } from '@telltale/domain/dashboards/titles.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import type { StoredOptions } from '../visualizations/define.ts';
import { findVisualization } from '../visualizations/index.ts';

export interface ShownQuery {
  id: number;
  name: string;
  description: string | null;
  options: QueryOptions;
  latest_query_data_id?: number | null;
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

/** What of a widget is drawn: people and readers of a shared dashboard get different answers, and see the same. */
export interface ShownWidget {
  id: number;
  width: number;
  options: WidgetOptions;
  text?: string | undefined;
  visualization?: ShownVisualization | undefined;
  restricted?: true | undefined;
}

/** visualizations 1.1: the kind says how large a widget is at first. Texts are as high as they are long. */
export function firstSize(type: string | undefined): Partial<FullPosition> {
  if (type === undefined) return { autoHeight: true };
  const size = findVisualization(type)?.size;
  if (!size) return {};
  const { width, height, minWidth, minHeight, autoHeight = false } = size;
  return { sizeX: width, sizeY: height, minSizeX: minWidth, minSizeY: minHeight, autoHeight };
}

export const liveType = 'LIVE_UPLINK';

/** The kind of its picture, live ones included; undefined for a text box, and where one may not see it. */
export const typeOfWidget = ({ visualization, options }: ShownWidget): string | undefined =>
  visualization?.type ?? (options.live ? liveType : undefined);

export const isTextBox = (widget: ShownWidget): boolean => !widget.restricted && typeOfWidget(widget) === undefined;

export function positionOfWidget(widget: ShownWidget): FullPosition {
  const { options } = widget;
  const { sizeX, sizeY, ...rest } = firstSize(typeOfWidget(widget));
  const size = { ...(sizeX !== undefined && { sizeX }), ...(sizeY !== undefined && { sizeY }) };
  return positionOf({ ...rest, ...options.position }, size);
}

/** The number of a result that answers whoever asks for nothing newer: of queries without parameters. */
export const storedResultOf = ({ options, latest_query_data_id }: ShownQuery): number | null =>
  options.parameters.length === 0 ? (latest_query_data_id ?? null) : null;

export const mappedOf = ({ id, options, visualization }: ShownWidget): MappedWidget => ({
  id,
  options,
  parameters: visualization?.query.options.parameters ?? [],
});

export function titleOfWidget({ visualization, restricted, options }: ShownWidget): string {
  if (restricted) return 'Restricted widget';
  if (options.live && !visualization) return `Live uplinks of ${options.live.channelid}`;
  if (!visualization) return 'Text';
  return widgetTitle(visualization, visualization.query, findVisualization(visualization.type)?.name ?? '');
}
