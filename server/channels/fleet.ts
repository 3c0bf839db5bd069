import type { FleetParams, FleetSummary } from '@telltale/domain/channels/fleet-contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { whereMay } from '../policy/policy.ts';
import { countFleet } from './fleet.store.ts';

const dayMs = 86_400_000;

export async function readFleet(ctx: UserCtx, { since }: FleetParams): Promise<FleetSummary> {
  const from = since === undefined ? new Date(ctx.now.getTime() - dayMs) : new Date(since);
  return countFleet(ctx.db, whereMay(ctx.user, 'view', 'channel'), from);
}
