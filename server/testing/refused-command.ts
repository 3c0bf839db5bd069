import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { makeDevices } from './fleet.ts';
import type { TestApp } from './test-app.ts';

let channels = 0;

/** Fields of a command that can be saved, but whose executions the database refuses: its encoder names a port beyond a smallint. */
export async function refusedCommand(app: TestApp) {
  const channel_id = `odd-${++channels}`;
  const devices = await makeDevices(app.ctx, channel_id, 1);
  const script = 'function encodeDownlink() { return { bytes: [1], fPort: 70000 }; }';
  await app.as(app.admin).get(decodersApi.save, { params: { id: channel_id }, body: { script, examples: [] } });
  return { channel_id, device_ids: devices.map(({ device_id }) => device_id), payload: '{"on": 1}' };
}
