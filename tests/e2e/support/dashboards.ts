import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { type Widget, widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { type Visualization, visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { adminClient } from './people.ts';

const stations = `(values (1, 'Oslo', 21.5), (2, 'Bern', 19.25), (3, 'Rome', 27.0), (4, 'Kyiv', 18.5)) as t(id, city, temp)`;

/** A published query of the administrator's on the built-in source, and its first picture, a table. */
export async function makeQuery(name: string, text = `select * from ${stations}`, parameters: readonly QueryParameter[] = []) {
  const client = await adminClient();
  const sources = await client.get(dataSourcesApi.list);
  const source = (Array.isArray(sources) ? sources : sources.results).find(({ type }) => type === 'telltale');
  if (!source) throw new Error('The built-in source is missing.');
  const query = await client.get(queriesApi.create, {
    body: {
      name,
      query: text.replaceAll('$stations', stations),
      data_source_id: source.id,
      options: { parameters: [...parameters] },
    },
  });
  await client.get(queriesApi.save, { params: { id: query.id }, body: { is_draft: false } });
  const [table] = query.visualizations;
  if (!table) throw new Error(`${name} has no picture`);
  return { id: query.id, name, table };
}

export const makePicture = async (queryId: number, type: string, name: string, options: Record<string, unknown>): Promise<Visualization> =>
  (await adminClient()).get(visualizationsApi.create, { body: { query_id: queryId, type, name, options } });

export async function makeDashboard(name: string, { isPublished = true }: { isPublished?: boolean } = {}) {
  const client = await adminClient();
  const made = await client.get(dashboardsApi.create, { body: { name } });
  if (isPublished) await client.get(dashboardsApi.save, { params: { id: made.id }, body: { is_draft: false } });
  return made;
}

export const readDashboard = async (id: number) => (await adminClient()).get(dashboardsApi.get, { params: { id: String(id) } });

/** Its secret address, which ends then. */
export const shareUntil = async (id: number, end: Date): Promise<string> =>
  (await (await adminClient()).get(dashboardsApi.share, { params: { id }, body: { expires_at: end.toISOString() } })).public_url;

interface Place {
  col: number;
  row: number;
  sizeX: number;
  sizeY: number;
}

/** A picture, or a text box. */
export const makeWidget = async (dashboardId: number, what: { id: number } | string, position: Place, more: object = {}): Promise<Widget> =>
  (await adminClient()).get(widgetsApi.create, {
    body: {
      dashboard_id: dashboardId,
      width: 1,
      options: { position: { ...position, autoHeight: false }, ...more },
      ...(typeof what === 'string' ? { text: what } : { visualization_id: what.id }),
    },
  });

export const saveSettings = async (settings: Partial<OrganizationSettings>) =>
  (await adminClient()).get(organizationApi.saveSettings, { body: settings });

/** D6: letting others edit is a feature that an administrator turns on. */
export const allowPermissions = () => saveSettings({ feature_show_permissions_control: true });
