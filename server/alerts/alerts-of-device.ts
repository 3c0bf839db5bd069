import type { DeviceAlert } from '@telltale/domain/alerts/contract.ts';
import type { ByDevice } from '@telltale/domain/channels/contract.ts';
import { getDeviceRow } from '../channels/devices.ts';
import type { UserCtx } from '../platform/context.ts';
import { requireChannelView } from './alert-access.ts';
import { listAlertsOfDevice } from './device-alerts.store.ts';

export async function alertsOfDevice(ctx: UserCtx, at: ByDevice): Promise<DeviceAlert[]> {
  requireChannelView(ctx);
  await getDeviceRow(ctx, at);
  return listAlertsOfDevice(ctx.db, at.id, at.deviceId);
}
