import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mqtt, { type MqttClient } from 'mqtt';

/**
 * `npm run fleet -- --devices 1000 --rate 200`: a fleet that reports to a running console over MQTT, with values that follow the time of
 * day, and typical faults: unreadable messages, wrong clocks, broken connections, repeated messages.
 */
const { values: options } = parseArgs({
  options: {
    devices: { type: 'string', default: '100' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '0' },
    faults: { type: 'string', default: '1' },
    channel: { type: 'string', default: 'fleet' },
    url: { type: 'string', default: 'http://localhost:5000' },
    mqtt: { type: 'string', default: 'mqtt://localhost:1883' },
    key: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const usage = `npm run fleet -- --key <API key of a person who may manage channels> [--devices 100] [--rate 20]
  --rate      messages a second, of all devices together
  --faults    in percent of the messages
  --seconds   ends after so many; 0 goes on until Ctrl-C
  --channel   its id; made when it is not there
  --url       the console, --mqtt its broker`;

const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text);
if (options.help || !options.key || ![options.devices, options.rate, options.seconds, options.faults].every(isNumber)) {
  console.error(usage);
  process.exit(options.help ? 0 : 2);
}
const { channel, url, key } = options;
const [count, rate, seconds, faults] = [options.devices, options.rate, options.seconds, options.faults].map(Number) as [
  number,
  number,
  number,
  number,
];

interface Device {
  device_id: string;
  api_key: string;
  /** The offset that makes its readings differ from those of others. */
  phase: number;
  battery: number;
  client?: MqttClient;
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Key ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
}

/** Creates the channel and its devices, as far as they do not exist. */
async function prepare(): Promise<Device[]> {
  if ((await call('GET', `/api/channels/${channel}`)).status === 404) {
    const made = await call('POST', '/api/channels', { channel_id: channel, channel_name: 'Simulated fleet' });
    if (made.status !== 200) throw new Error(`The channel could not be made: ${JSON.stringify(made.body)}`);
  }
  const devices: Device[] = [];
  for (let n = 0; n < count; n++) {
    const device_id = `sim-${String(n).padStart(5, '0')}`;
    const path = `/api/channels/${channel}/devices`;
    let found = await call('GET', `${path}/${device_id}`);
    if (found.status === 404) {
      await call('POST', path, { device_id, device_name: `Simulated ${n}` });
      found = await call('GET', `${path}/${device_id}`);
    }
    const { api_key } = found.body as { api_key?: string };
    if (!api_key || api_key.includes('*'))
      throw new Error('The keys of devices are shown to those who may manage channels: use such a key.');
    devices.push({ device_id, api_key, phase: n * 0.37, battery: 100 - (n % 40) });
  }
  return devices;
}

/** A reading: warmer by day, damper by night, a battery that runs down, a door that is opened now and then. */
function reading({ phase, battery }: Device): Record<string, unknown> {
  const hour = ((Date.now() / 3_600_000) % 24) + phase;
  const temperature = 18 + 6 * Math.sin((hour / 24) * 2 * Math.PI) + Math.random() * 0.4;
  return {
    temperature: round(temperature),
    humidity: round(60 - 1.5 * (temperature - 18) + Math.random()),
    battery: round(battery),
    door: Math.random() < 0.05,
    air: { co2: Math.round(420 + 200 * Math.abs(Math.sin(hour))), pm: [Math.round(Math.random() * 10), Math.round(Math.random() * 20)] },
  };
}
const round = (value: number) => Math.round(value * 100) / 100;

const faultKinds: ((device: Device) => string)[] = [
  () => '{"temperature":',
  () => '[1,2,3]',
  (device) => JSON.stringify({ ts: 12, values: reading(device) }),
  (device) => JSON.stringify({ ts: '2100-01-01T00:00:00Z', ...reading(device) }),
  (device) => JSON.stringify({ ts: Date.now() - 3_600_000, ...reading(device) }),
  () => '{"temperature":1e999,"humidity":40}',
];

const counts = { sent: 0, acknowledged: 0, failed: 0 };

async function clientOf(device: Device): Promise<MqttClient> {
  if (device.client) return device.client;
  const username = `${channel}/${device.device_id}`;
  const client = mqtt.connect(options.mqtt, {
    username,
    password: device.api_key,
    clientId: device.device_id,
    protocolVersion: 4,
    reconnectPeriod: 2000,
  });
  client.on('error', () => {});
  device.client = client;
  await new Promise((resolve) => client.once('connect', resolve));
  return client;
}

async function report(device: Device): Promise<void> {
  device.battery = Math.max(5, device.battery - 0.001);
  const isFaulty = Math.random() * 100 < faults;
  const kind = faultKinds[Math.floor(Math.random() * faultKinds.length)];
  const payload =
    isFaulty && kind ? kind(device) : JSON.stringify({ id: `${device.device_id}-${Date.now()}-${counts.sent}`, ...reading(device) });
  const client = await clientOf(device);
  counts.sent++;
  // A broken connection: unacknowledged messages are sent again.
  if (isFaulty && Math.random() < 0.1) client.stream.destroy();
  await client.publishAsync('v1/me/up', payload, { qos: 1 }).then(
    () => counts.acknowledged++,
    () => counts.failed++,
  );
}

const devices = await prepare();
console.log(`${devices.length} devices report to ${options.mqtt}, ${rate} messages a second. Ctrl-C ends it.`);
const startedAt = Date.now();
const telling = setInterval(() => console.log(`${counts.sent} sent, ${counts.acknowledged} acknowledged, ${counts.failed} failed`), 5000);
let isOver = false;
process.once('SIGINT', () => {
  isOver = true;
});
for (let offered = 0; !isOver; ) {
  const elapsed = (Date.now() - startedAt) / 1000;
  if (seconds > 0 && elapsed >= seconds) break;
  for (const due = elapsed * rate; offered < due; offered++) {
    const device = devices[offered % devices.length];
    if (device) void report(device);
  }
  await sleep(10);
}
clearInterval(telling);
// Messages under way get time to arrive; devices that are reconnecting just then are not waited for.
for (const until = Date.now() + 10_000; counts.acknowledged + counts.failed < counts.sent && Date.now() < until; ) await sleep(50);
for (const { client } of devices) client?.end(true);
console.log(`${counts.sent} sent, ${counts.acknowledged} acknowledged, ${counts.failed} failed`);
