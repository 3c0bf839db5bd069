import { isAskedBy, isAskedFor } from '@telltale/domain/dashboards/public-parameters.ts';
import { weekStartDays } from '@telltale/domain/organization/settings.ts';
import { typeOf } from '@telltale/domain/parameters/contract.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { listMappingsShowing, type QueryRow } from './queries.store.ts';

/** A shared dashboard gives access to the queries on it, with the values that it lets a viewer choose (security 23). */

/** Whether a widget of the calling token's dashboard would request these values. */
export async function valueFacts(
  { db, identity, now }: Ctx,
  query: QueryRow,
  values: Readonly<Record<string, unknown>>,
): Promise<QueryRow & { is_asked_by_widget: boolean }> {
  if (identity.kind !== 'dashboard_token') return { ...query, is_asked_by_widget: false };
  const [{ time_zone: timeZone, week_start }, mappings] = [
    await getSettings({ db }),
    await listMappingsShowing(db, identity.object_id, query.id),
  ];
  const clock = { now, timeZone, weekStart: weekStartDays[week_start] };
  return { ...query, is_asked_by_widget: isAskedBy(mappings, query.options.parameters, values, clock) };
}

/** The parameters of a query that offer the values of another one, and whether a widget lets its viewers choose one of them. */
export async function choiceFacts({ db, identity }: Ctx, query: QueryRow, dropdownId: number) {
  const driven = query.options.parameters.filter((parameter) => typeOf(parameter) === 'query' && parameter.queryId === dropdownId);
  const isToken = identity.kind === 'dashboard_token' && driven.length > 0;
  const mappings = isToken ? await listMappingsShowing(db, identity.object_id, query.id) : [];
  return { isOffered: driven.length > 0, is_asked_by_widget: driven.some((parameter) => isAskedFor(mappings, parameter)) };
}
