import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { firstMapping, keptMappings } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { type Query, queriesApi } from '@telltale/domain/queries/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { call } from '../../../api/call.ts';
import { newPosition } from '../../../grid/newPosition.ts';

interface Selection {
  channel_id: string;
  device_ids: string[];
  attributes: string[];
}

/** A saved and published query over devices, with its line chart. */
export async function makeChart(name: string, selection: Selection): Promise<Query> {
  const query = await call(deviceQueriesApi.add, { body: { name: name.slice(0, 255), ...selection } });
  return call(queriesApi.save, { params: { id: query.id }, body: { is_draft: false, version: query.version } });
}

export const chartOf = ({ visualizations }: Pick<Query, 'visualizations'>) =>
  visualizations.find(({ type }) => type === 'CHART') ?? visualizations[0];

/** Makes a dashboard with the chart of this query on it; returns its address. */
export async function putOnNewDashboard(name: string, query: Query): Promise<string> {
  const dashboard = await call(dashboardsApi.create, { body: { name: name.slice(0, 100) } });
  const chart = chartOf(query);
  if (chart) {
    const parameterMappings = keptMappings(query.options.parameters.map((one) => firstMapping(one, [])));
    const position = { ...newPosition(new Map(), chart.type), sizeX: 6 };
    await call(widgetsApi.create, {
      body: { dashboard_id: dashboard.id, visualization_id: chart.id, width: 1, options: { position, isHidden: false, parameterMappings } },
    });
  }
  await call(dashboardsApi.save, { params: { id: dashboard.id }, body: { is_draft: false } });
  return dashboard.url;
}
