import { afterAll } from 'vitest';
import { createPayloadDecoder } from '../decoders/payload-decoder.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Message, Outcome } from '../networks/uplink-sink.ts';
import { createDirectory } from '../uplinks/directory.ts';
import { Uplinks } from '../uplinks/uplinks.ts';
import { makeDevices } from './fleet.ts';
import { servicesOf } from './live-server.ts';
import type { TestApp } from './test-app.ts';

const usual = { topic: 'v1/weather/devices/x/up', format: 'auto', fport: null, source: 'mqtt', packet_id: null, isRepeat: false } as const;

/** An uplink sink without a network in front of it, and devices of the channel `weather`. Stops with the tests. */
export async function testUplinks(app: TestApp, { devices = 20, settleMs = 20 } = {}) {
  const services = servicesOf(app);
  const decoder = createPayloadDecoder(services);
  const uplinks = new Uplinks(services, { settleMs, decoder });
  const directory = createDirectory(services);
  afterAll(async () => {
    await uplinks.stop();
    await decoder.stop();
    await directory.stop();
  });
  const made = await makeDevices(app.ctx, 'weather', devices);
  /** A device that no test has used yet. */
  const aDevice = async (): Promise<DeviceEntry> => {
    const next = made.shift();
    const device = next && (await directory.findDevice(next.channel_id, next.device_id));
    if (!device) throw new Error('There are no more devices.');
    return device;
  };
  const send = (device: DeviceEntry, payload: string | Buffer, more: Partial<Message> = {}): Promise<Outcome> =>
    new Promise((resolve) => uplinks.receive({ ...usual, device, payload: Buffer.from(payload), ...more }, resolve));
  return { services, uplinks, decoder, directory, aDevice, send };
}
