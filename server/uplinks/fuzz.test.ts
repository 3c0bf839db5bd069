import { afterAll, expect, test } from 'vitest';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Message, Outcome } from '../networks/uplink-sink.ts';
import { makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { createDirectory } from './directory.ts';
import { Uplinks } from './uplinks.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const uplinks = new Uplinks(servicesOf(app), { settleMs: 50 });
const directory = createDirectory(servicesOf(app));
afterAll(async () => {
  await uplinks.stop();
  await directory.stop();
});
const made = await makeDevices(app.ctx, 'weather', 10);
const devices = (await Promise.all(made.map((one) => directory.findDevice(one.channel_id, one.device_id)))) as DeviceEntry[];

/** A fixed seed makes all runs equal. */
let seed = 42;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const oneOf = <T>(items: readonly T[]): T => items[random(items.length)] as T;
const texts = [
  '',
  'a',
  't',
  'ts',
  'id',
  'values',
  'meta',
  '__proto__',
  'constructor',
  'lat',
  'lon',
  'sys.online',
  'lora.rssi',
  '\0',
  'x\0y',
  '\ud800',
  'a\udc00',
];
const others = [
  '🌦',
  '\u202e',
  "'; drop table x; --",
  '\\N',
  '\\.',
  '\t\n',
  'x'.repeat(5000),
  'é'.normalize('NFD'),
  '{"a":1}',
  '%',
  '2026-01-01T00:00:00Z',
];
const numbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  1e308,
  -1.7e308,
  5e-324,
  2 ** 53,
  2 ** 63,
  1e11,
  1e14,
  1e17,
  1_700_000_000,
  1_700_000_000_123,
  -5,
  4e18,
];
const times = [null, 0, 1, 'never', '2026-01-01T00:00:00Z', '0000-00-00T00:00:00Z', '2100-01-01T00:00:00.123456789Z', ...numbers];
const text = () => oneOf(random(2) ? texts : others);
const scalar = () => oneOf([text, () => oneOf(numbers), () => null, () => random(2) === 0])();

function tree(depth: number): unknown {
  const kind = random(depth > 8 ? 1 : 4);
  if (kind === 1) return Array.from({ length: random(4) }, () => tree(depth + 1));
  if (kind === 2) return Object.fromEntries(Array.from({ length: random(5) }, () => [text(), tree(depth + 1)]));
  return scalar();
}
const timed = () => ({
  ...(random(2) ? { ts: oneOf(times) } : {}),
  ...(random(3) ? {} : { id: scalar() }),
  ...(random(3) ? {} : { meta: tree(0) }),
  values: { [text()]: tree(1), t: scalar() },
});
const labels = ['bn', 'bt', 'bu', 'bv', 'bs', 'bver', 'n', 'u', 'v', 'vs', 'vb', 'vd', 's', 't', 'ut', 'x_'];
const senml = () =>
  Array.from({ length: 1 + random(4) }, () => Object.fromEntries(Array.from({ length: 1 + random(6) }, () => [oneOf(labels), scalar()])));
const shapes = [() => tree(0), timed, senml, () => Array.from({ length: 1 + random(4) }, () => (random(4) ? timed() : tree(1))), scalar];

function payload(): Buffer {
  if (random(6) === 0) return Buffer.from(Array.from({ length: random(40) }, () => random(256)));
  const whole = JSON.stringify(oneOf(shapes)());
  const bytes = Buffer.from(random(10) ? whole : whole.slice(0, random(whole.length)));
  if (random(10) === 0 && bytes.length > 0) bytes[random(bytes.length)] = random(256);
  return bytes;
}

test('whatever devices say, the rules take it or refuse it; the database never has to', async () => {
  const seen = new Map<string, number>();
  const refusedByDatabase: string[] = [];
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 250 }, async () => {
        const message: Message = {
          device: oneOf(devices),
          topic: 'up',
          format: oneOf(['auto', 'auto', 'json', 'senml', 'lpp', 'raw'] as const),
          fport: null,
          payload: payload(),
          source: 'mqtt',
          packet_id: random(2) ? random(20) : null,
          isRepeat: random(4) === 0,
        };
        const outcome = await new Promise<Outcome>((done) => uplinks.receive(message, done));
        seen.set(outcome.status, (seen.get(outcome.status) ?? 0) + 1);
        const isOurs = outcome.status !== 'rejected' || outcome.message !== 'The database does not take this message.';
        if (!isOurs || outcome.status === 'unavailable') refusedByDatabase.push(message.payload.toString());
      }),
    );
  }
  await uplinks.drain();
  expect(refusedByDatabase).toEqual([]);
  expect([...seen.keys()].sort()).toEqual(['duplicate', 'partial', 'rejected', 'stored']);
});
