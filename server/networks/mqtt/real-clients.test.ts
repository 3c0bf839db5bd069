import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../connectors/testing/self-signed.ts';
import { testBroker } from '../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';
import { listenTls } from './listeners.ts';

const python = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, ['-c', 'import paho.mqtt.client']).status === 0);
const missing = {
  mosquitto: spawnSync('mosquitto_pub', ['--help']).error ? 'mosquitto_pub (Debian: mosquitto-clients)' : undefined,
  paho: python ? undefined : 'paho for Python (Debian: python3-paho-mqtt)',
};

const app = await testApp({ env: { TELLTALE_RATE_CHANNEL: '0' } });
const mqtt = await testBroker(app);
const fleet = await makeDevices(app.ctx, 'weather', 20);
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const topic = ({ channel_id, device_id }: MadeDevice, what: string) => `v1/${channel_id}/devices/${device_id}/${what}`;
const values = async ({ pk }: MadeDevice) =>
  (
    await sql<{ value: number }>`
      select value from telemetry.metric_point p join telemetry.attribute a on a.id = attribute_id
      where device_pk = ${pk} and name = 't' order by time`.execute(app.ctx.db)
  ).rows.map(({ value }) => value);
const stateOf = async ({ pk }: MadeDevice) =>
  (
    await sql<{ online: boolean; state: unknown }>`select online, state from telemetry.device_state where device_pk = ${pk}`.execute(
      app.ctx.db,
    )
  ).rows[0];

const folder = mkdtempSync(join(tmpdir(), 'telltale-clients-'));
const certificate = selfSigned('localhost');
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
writeFileSync(cert, certificate.cert);
writeFileSync(key, certificate.key);
const tls = await listenTls('localhost', { port: 0, cert, key }, mqtt.broker.accept.bind(mqtt.broker), app.ctx.log);
afterAll(async () => {
  await tls.close();
  rmSync(folder, { recursive: true });
});

interface Ran {
  code: number;
  output: string;
}
const run = (command: string, args: string[]): Promise<Ran> =>
  new Promise((done) => {
    execFile(command, args, { timeout: 20_000 }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: stdout + stderr }),
    );
  });

describe.skipIf(missing.mosquitto !== undefined)(
  missing.mosquitto ? `mosquitto clients (needs ${missing.mosquitto})` : 'mosquitto clients',
  () => {
    const plain = ['-h', '127.0.0.1', '-p', String(mqtt.port)];
    const login = ({ channel_id, device_id, api_key }: MadeDevice) => ['-u', `${channel_id}/${device_id}`, '-P', api_key];
    const publish = (device: MadeDevice, n: number, args: string[] = [...plain, ...login(device)]) =>
      run('mosquitto_pub', [...args, '-t', topic(device, 'up'), '-m', `{"t":${n}}`]);
    const listening: ChildProcess[] = [];
    afterAll(() => {
      for (const child of listening) child.kill('SIGKILL');
    });
    const subscribe = (args: string[]) => {
      const child = spawn('mosquitto_sub', [...plain, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      listening.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      return { child, heard: () => output.trim() };
    };

    test('publish with every quality of service, in either version of the protocol', async () => {
      const device = aDevice();
      for (const qos of [0, 1, 2])
        expect(await publish(device, qos, [...plain, ...login(device), '-q', String(qos)])).toEqual({ code: 0, output: '' });
      expect((await publish(device, 3, [...plain, ...login(device), '-q', '1', '-V', 'mqttv31'])).code).toBe(0);
      await expect.poll(() => values(device)).toEqual([0, 1, 2, 3]);
    });

    test('a retained publish with an id of its own is stored once and kept for nobody', async () => {
      const device = aDevice();
      const args = [...plain, ...login(device), '-q', '1', '-r', '-t', topic(device, 'up'), '-m', '{"id":"x","t":1}'];
      for (let n = 0; n < 2; n++) expect((await run('mosquitto_pub', args)).code).toBe(0);
      expect(await values(device)).toEqual([1]);
      expect(await run('mosquitto_sub', [...plain, ...login(device), '-t', '#', '-W', '1'])).toMatchObject({
        output: expect.not.stringContaining('"t"'),
      });
    });

    test('over TLS, by the key alone, and never by a wrong one', async () => {
      const device = aDevice();
      const secure = ['-h', 'localhost', '-p', String(tls.port), '--cafile', cert];
      expect(await publish(device, 1, [...secure, '-u', device.api_key, '-q', '1'])).toEqual({ code: 0, output: '' });
      const refused = await publish(device, 2, [
        ...secure,
        '-u',
        `${device.channel_id}/${device.device_id}`,
        '-P',
        'x'.repeat(40),
        '-q',
        '1',
      ]);
      expect(refused.code).not.toBe(0);
      expect(await values(device)).toEqual([1]);
    });

    test('a subscription to # receives only messages for its own device', async () => {
      const [device, other] = [aDevice(), aDevice()];
      const { heard } = subscribe([...login(device), '-t', '#', '-v', '-q', '2']);
      await expect.poll(() => mqtt.broker.isConnected(device.pk)).toBe(true);
      await expect
        .poll(async () => {
          await mqtt.broker.send(topic(other, 'down'), 'not for you', 1);
          await mqtt.broker.send(topic(device, 'down'), 'do', 1);
          return heard().split('\n').at(-1);
        })
        .toBe(`${topic(device, 'down')} do`);
      await publish(device, 1);
      await run('mosquitto_pub', [...plain, ...login(device), '-q', '1', '-t', topic(device, 'up'), '-m', '{']);
      await expect.poll(heard).toContain(`${topic(device, 'error')} {"id":null,"code":"bad_json"`);
      expect(heard()).not.toMatch(/not for you|"t"/);
    });

    test('version 5: publishes with every quality of service and user properties', async () => {
      const device = aDevice();
      const args = (qos: number) => [
        ...plain,
        ...login(device),
        '-V',
        '5',
        '-q',
        String(qos),
        '-D',
        'publish',
        'user-property',
        'site',
        'roof',
      ];
      for (const qos of [0, 1, 2]) expect(await publish(device, qos, args(qos))).toEqual({ code: 0, output: '' });
      await expect.poll(() => values(device)).toEqual([0, 1, 2]);
      const { rows } = await sql`select distinct meta from telemetry.uplink where device_pk = ${device.pk}`.execute(app.ctx.db);
      expect(rows).toEqual([{ meta: { user_properties: { site: 'roof' } } }]);
    });

    test('version 5: prints why it is refused', async () => {
      const device = aDevice();
      const five = [...plain, '-V', '5', '-d', '-q', '1'];
      const wrong = await publish(device, 1, [...five, '-u', `${device.channel_id}/${device.device_id}`, '-P', 'x'.repeat(40)]);
      expect([wrong.code, wrong.output]).toEqual([134, expect.stringMatching(/bad user ?name or password/i)]);
      const elsewhere = await run('mosquitto_pub', [...five, ...login(device), '-t', 'v1/other/devices/x/up', '-m', '1']);
      expect(elsewhere.output).toMatch(/Not authorized/i);
      const unread = await run('mosquitto_pub', [...five, ...login(device), '-t', topic(device, 'up'), '-m', '{']);
      expect(unread.output).toMatch(/payload format invalid/i);
      const { heard } = subscribe(['-V', '5', '-d', ...login(device), '-t', 'v1/other/devices/x/down']);
      await expect.poll(heard).toMatch(/Subscribed \(mid: 1\): 135/);
      const shared = subscribe(['-V', '5', '-d', ...login(device), '-t', '$share/group/v1/me/down']);
      await expect.poll(shared.heard).toMatch(/Subscribed \(mid: 1\): 158/);
      expect(shared.heard()).toContain('All subscription requests were denied');
    });

    test('version 5: prints the code with which its connection is ended', async () => {
      const device = aDevice();
      const { child, heard } = subscribe(['-V', '5', '-d', ...login(device), '-i', 'oldest', '-t', topic(device, 'down')]);
      await expect.poll(() => mqtt.broker.isConnected(device.pk)).toBe(true);
      for (let n = 0; n < 5; n++) await mqtt.device(device, { clientId: `newer-${n}` });
      const evicted = () => sql`select from telemetry.uplink_rejected where device_pk = ${device.pk} and code = 'session_evicted'`;
      await expect.poll(async () => (await evicted().execute(app.ctx.db)).rows.length).toBeGreaterThan(0);
      // It prints into a pipe, and all of it when it ends.
      child.kill('SIGTERM');
      // 151 is 0x97, quota exceeded: a device has at most five connections.
      await expect.poll(heard).toMatch(/received DISCONNECT \(151\)/i);
    });

    test('a killed client leaves its last will as its state', async () => {
      const device = aDevice();
      const will = ['--will-topic', topic(device, 'state'), '--will-payload', '{"online":false}', '--will-qos', '1', '--will-retain'];
      const { child } = subscribe([...login(device), '-t', topic(device, 'down'), ...will]);
      await expect.poll(() => stateOf(device)).toMatchObject({ online: true, state: null });
      child.kill('SIGKILL');
      await expect.poll(() => stateOf(device)).toMatchObject({ online: false, state: { online: false } });
    });
  },
);

/** The code of the device snippet, and a little more. */
const pahoScript = `
import json, sys, threading
import paho.mqtt.client as mqtt
given = json.loads(sys.argv[1])
client = mqtt.Client("paho", True, None, mqtt.MQTTv311, given["transport"])
if given["transport"] == "websockets": client.ws_set_options(path="/mqtt")
if given["cafile"]: client.tls_set(given["cafile"])
client.username_pw_set(given["username"], given["password"])
client.will_set(given["state"], '{"online":false}', 1)
ready, heard, granted = threading.Event(), threading.Event(), []
def on_connect(client, userdata, flags, code):
    if code != 0:
        print("refused", code)
        sys.stdout.flush()
        import os; os._exit(3)
    client.subscribe([("#", 2)])
def on_subscribe(client, userdata, mid, qos):
    granted.extend(qos)
    ready.set()
def on_message(client, userdata, message):
    print("heard", message.topic, message.payload.decode())
    heard.set()
client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
client.connect(given["host"], given["port"], 60)
client.loop_start()
ready.wait(10)
print("granted", granted)
for qos in (0, 1, 2):
    client.publish(given["up"], json.dumps({"t": qos}), qos).wait_for_publish()
client.publish(given["up"], "{", 1).wait_for_publish()
heard.wait(10)
client.disconnect()
client.loop_stop()
`;

/** Version 5: what a device developer sees of reasons and properties. */
const pahoScript5 = `
import json, sys, threading
import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
given = json.loads(sys.argv[1])
client = mqtt.Client(client_id="paho5", protocol=mqtt.MQTTv5)
client.username_pw_set(given["username"], given["password"])
ready, done = threading.Event(), threading.Event()
def reason(properties): return getattr(properties, "ReasonString", "") if properties else ""
def on_connect(client, userdata, flags, code, properties):
    print("connected", code, reason(properties), getattr(properties, "TopicAliasMaximum", ""), getattr(properties, "ReceiveMaximum", ""))
    sys.stdout.flush()
    if code.value == 0: client.subscribe([("v1/me/down", mqtt.SubscribeOptions(qos=2)), ("v1/other/devices/x/down", mqtt.SubscribeOptions(qos=1))])
    else: done.set()
def on_subscribe(client, userdata, mid, codes, properties):
    print("granted", [code.value for code in codes], reason(properties))
    ready.set()
def on_disconnect(client, userdata, code, properties=None):
    print("disconnected", code, reason(properties))
    done.set()
client.on_connect, client.on_subscribe, client.on_disconnect = on_connect, on_subscribe, on_disconnect
session = Properties(PacketTypes.CONNECT)
session.SessionExpiryInterval = 60
client.connect(given["host"], given["port"], 60, clean_start=True, properties=session)
client.loop_start()
while not ready.is_set() and not done.is_set(): ready.wait(0.05)
if ready.is_set():
    named = Properties(PacketTypes.PUBLISH)
    named.TopicAlias = 1
    named.UserProperty = ("site", "roof")
    client.publish(given["up"], '{"t":0}', 1, properties=named).wait_for_publish()
    again = Properties(PacketTypes.PUBLISH)
    again.TopicAlias = 1
    for qos in (1, 2): client.publish("", json.dumps({"t": qos}), qos, properties=again).wait_for_publish()
    client.disconnect()
    done.wait(10)
client.loop_stop()
`;

describe.skipIf(missing.paho !== undefined)(missing.paho ? `paho (needs ${missing.paho})` : 'paho', () => {
  const paho = (device: MadeDevice, settings: Record<string, unknown> = {}) =>
    run(python ?? '', [
      '-c',
      pahoScript,
      JSON.stringify({
        transport: 'tcp',
        host: '127.0.0.1',
        port: mqtt.port,
        cafile: null,
        username: `${device.channel_id}/${device.device_id}`,
        password: device.api_key,
        up: topic(device, 'up'),
        state: topic(device, 'state'),
        ...settings,
      }),
    ]);

  test.each([
    ['plain', () => ({})],
    ['over a web socket', () => ({ transport: 'websockets', host: '127.0.0.1', port: Number(new URL(app.origin).port) })],
    ['over TLS', () => ({ host: 'localhost', port: tls.port, cafile: cert })],
    ['by the key alone', (device: MadeDevice) => ({ username: device.api_key, password: null })],
  ])('%s: publishes with every quality of service, is granted 1, and hears of what was wrong', async (_how, settings) => {
    const device = aDevice();
    const { code, output } = await paho(device, settings(device));
    expect(output).toContain('granted [1]');
    expect(output).toContain(`heard ${topic(device, 'error')} {"id":null,"code":"bad_json"`);
    expect(code).toBe(0);
    await expect.poll(() => values(device)).toEqual([0, 1, 2]);
  });

  const paho5 = (device: MadeDevice, settings: Record<string, unknown> = {}) =>
    run(python ?? '', [
      '-c',
      pahoScript5,
      JSON.stringify({
        host: '127.0.0.1',
        port: mqtt.port,
        username: `${device.channel_id}/${device.device_id}`,
        password: device.api_key,
        up: topic(device, 'up'),
        ...settings,
      }),
    ]);

  test('version 5: SUBACK has the granted QoS and reasons; it publishes with an alias and user properties', async () => {
    const device = aDevice();
    const { code, output } = await paho5(device);
    expect(output).toMatch(/connected Success\s+100 1000/);
    expect(output).toMatch(/granted \[1, 135\] Not subscribed to v1\/other\/devices\/x\/down: this key hears/);
    expect(code).toBe(0);
    await expect.poll(() => values(device)).toEqual([0, 1, 2]);
    const { rows } = await sql`select meta from telemetry.uplink where device_pk = ${device.pk} and meta is not null`.execute(app.ctx.db);
    expect(rows).toEqual([{ meta: { user_properties: { site: 'roof' } } }]);
  });

  test('version 5: a wrong key is refused with a sentence', async () => {
    const { output } = await paho5(aDevice(), { password: 'x'.repeat(40) });
    expect(output).toMatch(/connected Bad user name or password The user name and the key do not belong together/);
  });

  test('a wrong key is refused with the code of MQTT', async () => {
    expect(await paho(aDevice(), { password: 'x'.repeat(40) })).toMatchObject({ code: 3, output: expect.stringContaining('refused 4') });
  });
});
