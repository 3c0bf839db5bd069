import { hasPermission } from '@telltale/domain/access/permissions.ts';
import type { LiveOptions } from '@telltale/domain/dashboards/options.ts';
import { hasDevices } from '../channels/devices.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';

/** The same right as on the live socket, which asks for it again. */
export const maySeeLive = (ctx: UserCtx): boolean => hasPermission(ctx.user.permissions, 'view_channel');

/** D2: whoever puts a live widget on a dashboard may see its devices, which are there. */
export async function requireLive(ctx: UserCtx, { channelid, device_ids }: LiveOptions, visualizationId: number | null): Promise<void> {
  if (!maySeeLive(ctx)) throw forbidden();
  if (visualizationId !== null) throw invalid('A widget shows a visualization or live uplinks, not both.');
  if (!(await hasDevices(ctx, channelid, device_ids))) throw invalid('The channel does not have all of these devices.');
}
