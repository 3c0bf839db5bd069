import type { KeyHolder } from '@telltale/domain/access/identity.ts';
import type { PublicDashboard } from '@telltale/domain/dashboards/contract.ts';
import { publicParameters } from '@telltale/domain/dashboards/public-parameters.ts';
import type { PublicWidget } from '@telltale/domain/dashboards/widget.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx } from '../platform/context.ts';
import { notFound, tooMany } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { together } from '../policy/principals.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { findSharedDashboard, tokenHolder } from './dashboard-tokens.ts';
import type { DashboardRow } from './dashboards.store.ts';
import { countView } from './sharing.store.ts';
import { arePublicUrlsOn, publicUrlsDisabled } from './sharing.ts';
import { placeOnly, type Shown, shownTo, visualizationFields } from './widget-answers.ts';
import { listWidgetRows, type WidgetRow } from './widgets.store.ts';

/** High enough for a whole office behind one address. */
const opensPerMinute = 120;

/** D2 and server-behaviour 16.5. Unknown, revoked, expired and archived addresses all get the same answer (design 8). */
export async function openShared(
  ctx: Ctx,
  token: string,
  counted: 'public dashboard' | 'public annotations',
): Promise<{ dashboard: DashboardRow; reader: KeyHolder }> {
  if ((await countAttempt(ctx.db, counted, networkOf(ctx.request.address), 60)) > opensPerMinute) {
    throw tooMany('Too many requests from your address. Please try again in a minute.');
  }
  if (!(await arePublicUrlsOn(ctx))) throw publicUrlsDisabled();
  const dashboard = await findSharedDashboard(ctx, token);
  const reader = dashboard && (await tokenHolder(ctx, dashboard));
  if (!reader || !may(reader, 'view', 'dashboard', dashboard)) throw notFound('Dashboard');
  return { dashboard, reader };
}

export async function readPublicDashboard(ctx: Ctx, token: string): Promise<PublicDashboard> {
  const { dashboard, reader } = await openShared(ctx, token, 'public dashboard');
  const widgets = await publicWidgets(ctx, dashboard, reader);
  await countView(ctx.db, dashboard.id);
  await recordEvent(ctx, 'view', 'dashboard', dashboard.id, { public: true });
  const { name, dashboard_filters_enabled, created_at, updated_at } = dashboard;
  const { globalParamOrder, parameters, auto_apply } = dashboard.options;
  return {
    name,
    layout: [],
    dashboard_filters_enabled,
    options: {
      ...(globalParamOrder ? { globalParamOrder } : {}),
      ...(parameters ? { parameters } : {}),
      ...(auto_apply && { auto_apply }),
    },
    widgets,
    created_at,
    updated_at,
  };
}

/** Uses the permissions of the user who shared the dashboard: widgets that this user may not see are restricted for everybody. */
async function publicWidgets(ctx: Ctx, { id }: DashboardRow, { acts_for }: KeyHolder): Promise<PublicWidget[]> {
  const rows = await listWidgetRows(ctx.db, id);
  const shown = await shownTo(ctx, together(acts_for), rows);
  return rows.map((row) => publicWidget(row, shown));
}

function publicWidget(row: WidgetRow, shown: Shown): PublicWidget {
  const { id, width, created_at, updated_at } = row;
  const common = { id, width, options: placeOnly(row.options), created_at, updated_at };
  // The live socket is for signed-in users, so public viewers do not learn which devices a live widget shows.
  if (row.options.live || shown.isRestricted(row)) return { ...common, restricted: true };
  const query = shown.query(row);
  if (!query || row.visualization_id === null) return { ...common, text: row.text };
  const { parameters, parameterMappings } = publicParameters(query.options.parameters, row.options.parameterMappings);
  return {
    ...common,
    options: { ...common.options, parameterMappings, ...(row.options.paramOrder ? { paramOrder: row.options.paramOrder } : {}) },
    text: row.text,
    visualization: {
      ...visualizationFields(row),
      query: {
        id: query.id,
        name: query.name,
        description: query.description,
        options: { parameters },
        ...(query.column_display && { column_display: query.column_display }),
      },
    },
  };
}
