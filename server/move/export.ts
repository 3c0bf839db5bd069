import { type Bundle, movedKinds } from '@telltale/domain/move/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { listMovedAlerts, listMovedChannels, listMovedCommands, listMovedDashboards, listMovedQueries } from './move.store.ts';

/** Exports all objects of the wanted kinds, without keys, results and personal data. */
export async function exportObjects(ctx: UserCtx, what: string | undefined): Promise<Bundle> {
  const wanted = what === undefined ? [...movedKinds] : what.split(',').map((word) => word.trim());
  const unknown = wanted.find((word) => !(movedKinds as readonly string[]).includes(word));
  if (unknown !== undefined) throw invalid(`There is nothing called "${unknown}" to export. Choose from ${movedKinds.join(', ')}.`);
  const has = (kind: (typeof movedKinds)[number]) => wanted.includes(kind);
  return {
    format: 'telltale objects 1',
    made_at: ctx.now.toISOString(),
    groups: [],
    users: [],
    channels: has('channels') ? await listMovedChannels(ctx.db) : [],
    queries: has('queries') || has('dashboards') || has('alerts') ? await listMovedQueries(ctx.db) : [],
    dashboards: has('dashboards') ? await listMovedDashboards(ctx.db) : [],
    alerts: has('alerts') ? await listMovedAlerts(ctx.db) : [],
    commands: has('commands') ? await listMovedCommands(ctx.db) : [],
  };
}
