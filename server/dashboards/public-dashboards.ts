import type { Person } from '@telltale/domain/access/identity.ts';
import type { PublicDashboard } from '@telltale/domain/dashboards/contract.ts';
import { publicParameters } from '@telltale/domain/dashboards/public-parameters.ts';
import type { PublicWidget } from '@telltale/domain/dashboards/widget.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, tooMany } from '../platform/errors.ts';
import { findAbsentPerson } from '../session/absent.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { findSharedDashboard } from './dashboard-tokens.ts';
import type { DashboardRow } from './dashboards.store.ts';
import { countView } from './sharing.store.ts';
import { arePublicUrlsOn, publicUrlsDisabled } from './sharing.ts';
import { placeOnly, type Shown, shownTo } from './widget-answers.ts';
import { listWidgetRows, type WidgetRow } from './widgets.store.ts';

/** More often than anybody looks, and a whole office behind one address still gets through. */
const opensPerMinute = 120;

/** D2 and server-behaviour 16.5. Unknown, taken back, expired and archived all answer alike (design 8). */
export async function readPublicDashboard(ctx: Ctx, token: string): Promise<PublicDashboard> {
  if ((await countAttempt(ctx.db, 'public dashboard', networkOf(ctx.request.address), 60)) > opensPerMinute) {
    throw tooMany('Too many requests from your address. Please try again in a minute.');
  }
  if (!(await arePublicUrlsOn(ctx))) throw publicUrlsDisabled();
  const dashboard = await findSharedDashboard(ctx, token);
  const sharer = dashboard && (await findAbsentPerson(ctx, dashboard.shared_by));
  if (!dashboard || !sharer) throw forbidden();
  const widgets = await publicWidgets(ctx, dashboard, sharer);
  await countView(ctx.db, dashboard.id);
  await recordEvent(ctx, 'view', 'dashboard', dashboard.id, { public: true });
  const { name, dashboard_filters_enabled, created_at, updated_at } = dashboard;
  const { globalParamOrder, parameters } = dashboard.options;
  return {
    name,
    layout: [],
    dashboard_filters_enabled,
    options: { ...(globalParamOrder ? { globalParamOrder } : {}), ...(parameters ? { parameters } : {}) },
    widgets,
    created_at,
    updated_at,
  };
}

/** In the name of whoever shared it: what they may not see (any more) is restricted for everybody. */
async function publicWidgets(ctx: Ctx, { id }: DashboardRow, sharer: Person): Promise<PublicWidget[]> {
  const rows = await listWidgetRows(ctx.db, id);
  const asSharer: UserCtx = { ...ctx, identity: sharer, user: sharer } as UserCtx;
  const shown = await shownTo(asSharer, rows);
  return rows.map((row) => publicWidget(row, shown));
}

function publicWidget(row: WidgetRow, shown: Shown): PublicWidget {
  const { id, width, created_at, updated_at } = row;
  const common = { id, width, options: placeOnly(row.options), created_at, updated_at };
  // The live socket is for people: whoever has the address only does not learn what is followed either.
  if (row.options.live || shown.isRestricted(row)) return { ...common, restricted: true };
  const query = shown.query(row);
  if (!query) return { ...common, text: row.text };
  const { parameters, parameterMappings } = publicParameters(query.options.parameters, row.options.parameterMappings);
  return {
    ...common,
    options: { ...common.options, parameterMappings, ...(row.options.paramOrder ? { paramOrder: row.options.paramOrder } : {}) },
    text: row.text,
    visualization: {
      type: row.type,
      name: row.name,
      description: row.description,
      options: row.visualization_options,
      created_at: row.visualization_created_at,
      updated_at: row.visualization_updated_at,
      query: { id: query.id, name: query.name, description: query.description, options: { parameters } },
    },
  };
}
