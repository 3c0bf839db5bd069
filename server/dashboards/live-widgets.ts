import type { LiveOptions } from '@telltale/domain/dashboards/options.ts';
import { getChannelRow } from '../channels/channels.ts';
import { hasDevices } from '../channels/devices.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';

/** D2: a user who adds a live widget must be allowed to see its devices, and the devices must exist. */
export async function requireLiveDevices(
  ctx: UserCtx,
  { channelid, device_ids }: LiveOptions,
  visualizationId: number | null,
): Promise<void> {
  if (!may(ctx.user, 'view', 'device')) throw forbidden();
  await getChannelRow(ctx, channelid);
  if (visualizationId !== null) throw invalid('A widget shows a visualization or live uplinks, not both.');
  if (!(await hasDevices(ctx, channelid, device_ids))) throw invalid('The channel does not have all of these devices.');
}
