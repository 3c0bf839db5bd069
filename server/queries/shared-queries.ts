import type { KeyHolder } from '@telltale/domain/access/identity.ts';
import { isAskedBy, isAskedFor } from '@telltale/domain/dashboards/public-parameters.ts';
import { typeOf } from '@telltale/domain/parameters/contract.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { listMappingsShowing, type QueryRow } from './queries.store.ts';

/** A shared dashboard opens the queries that stand on it, with the values that it lets a viewer choose (security 23). */
const mappingsFor = ({ object_id }: KeyHolder, ctx: Ctx, queryId: number) => listMappingsShowing(ctx.db, object_id, queryId);

export const isOnDashboard = async (ctx: Ctx, who: KeyHolder, queryId: number): Promise<boolean> =>
  (await mappingsFor(who, ctx, queryId)).length > 0;

/** For everybody but holders of a dashboard's token, who get what one of its widgets would ask for. */
export async function mayAskWith(ctx: Ctx, query: QueryRow, values: Readonly<Record<string, unknown>>): Promise<boolean> {
  const { identity, now } = ctx;
  if (identity.kind !== 'dashboard_token') return true;
  const { time_zone: timeZone } = await getSettings(ctx);
  return isAskedBy(await mappingsFor(identity, ctx, query.id), query.options.parameters, values, { now, timeZone });
}

/** Whether a parameter of the query offers the values of that other one; choices of what a dashboard fixes are nobody's business. */
export async function mayChooseFrom(ctx: Ctx, query: QueryRow, dropdownId: number): Promise<boolean> {
  const driven = query.options.parameters.filter((parameter) => typeOf(parameter) === 'query' && parameter.queryId === dropdownId);
  if (ctx.identity.kind !== 'dashboard_token' || driven.length === 0) return driven.length > 0;
  const mappings = await mappingsFor(ctx.identity, ctx, query.id);
  return driven.some((parameter) => isAskedFor(mappings, parameter));
}
