import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import mqtt from 'mqtt';

/**
 * Runs third-party clients against a console of its own: `npm run clients`. Not part of `npm test`: some clients are downloaded (Python
 * packages, the type generator), and a missing client is named, not counted.
 */
interface DuckDb {
  DuckDBInstance: {
    create(): Promise<{ connect(): Promise<{ runAndReadAll(text: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }> }> }>;
  };
}

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'telltale-clients-'));
const account = { email: 'clients@example.com', password: 'a password for clients' };

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
const [port, mqttPort] = [await freePort(), await freePort()];
const origin = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, ['server/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORT: String(port),
    MQTT_PORT: String(mqttPort),
    TELLTALE_DATA: join(folder, 'data'),
    TELLTALE_ADMIN_EMAIL: account.email,
    TELLTALE_ADMIN_PASSWORD: account.password,
    TELLTALE_LOG: 'warn',
  },
});

const outcomes: { client: string; outcome: string; says: string }[] = [];
const missing = (client: string, why: string) => outcomes.push({ client, outcome: 'not there', says: why });
async function check(client: string, run: () => Promise<string> | string): Promise<void> {
  try {
    outcomes.push({ client, outcome: 'ok', says: (await run()).trim().split('\n').at(-1) ?? '' });
  } catch (error) {
    outcomes.push({ client, outcome: 'FAILED', says: error instanceof Error ? error.message.slice(0, 500) : String(error) });
  }
}
/** Runs asynchronously, so that our own connections are served meanwhile. */
function command(name: string, args: string[], { cwd = root }: { cwd?: string } = {}): Promise<string> {
  return new Promise((done, fail) => {
    execFile(name, args, { cwd, timeout: 240_000 }, (error, stdout, stderr) =>
      error ? fail(new Error(`${name} failed: ${(stderr || stdout || error.message).trim().slice(-400)}`)) : done(stdout + stderr),
    );
  });
}
const isThere = (name: string, args = ['--version']) => spawnSync(name, args).error === undefined;

try {
  const until = Date.now() + 300_000;
  while (!(await fetch(`${origin}/readyz`).catch(() => null))?.ok) {
    if (Date.now() > until || server.exitCode !== null) throw new Error('The console does not get ready.');
    await delay(500);
  }
  const signedIn = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { user } = (await (await fetch(`${origin}/api/session`, { headers: { cookie } })).json()) as { user: { id: number } };
  const { api_key } = (await (await fetch(`${origin}/api/users/${user.id}`, { headers: { cookie } })).json()) as { api_key: string };
  const headers = { authorization: `Key ${api_key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await (await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Record<string, unknown>;
  await post('/api/channels', { channel_id: 'clients', channel_name: 'Clients' });
  const device = (await post('/api/channels/clients/devices', { device_id: 'one', device_name: 'One' })) as { api_key: string };
  const [username, password] = ['clients/one', device.api_key];

  await check('upstream script (Python, plain HTTP)', () =>
    command('python3', ['scripts/clients/upstream.py', origin, api_key], { cwd: root }),
  );

  const lastValue = async () => {
    const answer = await fetch(`${origin}/api/channels/clients/devices/one/last`, { headers });
    const values = (await answer.json()) as { attribute: string; value: unknown }[];
    return values.find(({ attribute }) => attribute === 't')?.value;
  };
  /** What a client sent is what the console shows. */
  const arrived = async (value: number): Promise<string> => {
    for (let left = 50; (await lastValue()) !== value; left--) {
      if (left === 0) throw new Error(`The console shows ${JSON.stringify(await lastValue())} instead of ${value}.`);
      await delay(100);
    }
    return `published, acknowledged and shown (t = ${value})`;
  };

  for (const [protocolVersion, value] of [
    [4, 1],
    [5, 2],
  ] as const)
    await check(`MQTT.js ${protocolVersion === 5 ? '5' : '3.1.1'}`, async () => {
      const settings = { username, password, clientId: 'mqttjs', protocolVersion, reconnectPeriod: 0 };
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, settings, false);
      const properties = protocolVersion === 5 ? { properties: { userProperties: { by: 'clients' } } } : {};
      await client.publishAsync('v1/me/up', `{"t":${value}}`, { qos: 1, ...properties });
      await client.endAsync();
      return arrived(value);
    });
  await check('MQTT.js 5, refused', async () => {
    const settings = { username, password: 'x'.repeat(40), protocolVersion: 5, reconnectPeriod: 0 } as const;
    const refusal = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, settings, false).then(
      () => 'connected',
      (error: Error) => error.message,
    );
    if (!/Bad User Name or Password/i.test(refusal)) throw new Error(`The client says: ${refusal}`);
    return `told: ${refusal}`;
  });

  const runPaho = (name: string, python: string) =>
    check(name, () =>
      command(python, ['scripts/clients/paho_client.py', '127.0.0.1', String(mqttPort), username, password], { cwd: root }),
    );
  for (const version of ['1.6.1', '2.1.0']) {
    const name = `paho ${version}`;
    const venv = join(folder, `paho-${version}`);
    const python = join(venv, 'bin', 'python');
    const made =
      spawnSync('python3', ['-m', 'venv', venv]).status === 0 &&
      spawnSync(python, ['-m', 'pip', 'install', '-q', `paho-mqtt==${version}`], { timeout: 120_000 }).status === 0;
    if (!made) missing(name, 'pip cannot install it here');
    else await runPaho(name, python);
  }
  const installed = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, ['-c', 'import paho.mqtt.client']).status === 0);
  if (installed) {
    const { stdout } = spawnSync(installed, ['-c', 'import paho.mqtt; print(paho.mqtt.__version__)'], { encoding: 'utf8' });
    await runPaho(`paho ${stdout.trim()} (installed)`, installed);
  } else missing('paho (installed)', 'Debian: python3-paho-mqtt');

  if (isThere('mosquitto_pub', ['--help'])) {
    const common = ['-h', '127.0.0.1', '-p', String(mqttPort), '-u', username];
    for (const [version, value] of [
      ['311', 5],
      ['5', 6],
    ] as const)
      await check(`mosquitto_pub -V ${version}`, async () => {
        await command('mosquitto_pub', [...common, '-P', password, '-V', version, '-q', '1', '-t', 'v1/me/up', '-m', `{"t":${value}}`]);
        return arrived(value);
      });
    await check('mosquitto_pub -V 5, refused', () => {
      const { status, stderr } = spawnSync('mosquitto_pub', [...common, '-P', 'x'.repeat(40), '-V', '5', '-t', 'v1/me/up', '-m', '1'], {
        encoding: 'utf8',
      });
      if (status === 0 || !/bad user ?name or password/i.test(stderr)) throw new Error(`The client says: ${stderr.trim()}`);
      return `told: ${stderr.trim()}`;
    });
    await check('mosquitto_sub', async () => {
      const listening = command('mosquitto_sub', [...common, '-P', password, '-V', '5', '-t', 'v1/me/error', '-C', '1', '-W', '20']);
      let isOver = false;
      const heard = listening.finally(() => {
        isOver = true;
      });
      // It subscribes when it can; each rejected message is told at most every five seconds.
      while (!isOver) {
        await command('mosquitto_pub', [...common, '-P', password, '-q', '1', '-t', 'v1/me/up', '-m', '{']);
        await delay(500);
      }
      const text = await heard;
      if (!text.includes('bad_json')) throw new Error(`It heard ${text}`);
      return text;
    });
  } else missing('mosquitto clients', 'Debian: mosquitto-clients');

  await check('curl', async () => {
    const uplink = ['-sS', '--fail-with-body', '-X', 'POST', '-H', `Authorization: Key ${device.api_key}`, '-d', '{"t":4}'];
    await command('curl', [...uplink, `${origin}/api/v1/clients/devices/one/up`]);
    return arrived(4);
  });

  const sources = (await (await fetch(`${origin}/api/data_sources`, { headers })).json()) as { id: number; type: string }[];
  const query = await post('/api/queries', {
    name: 'For DuckDB',
    query: `select 1 as n, timestamp '2026-11-15 10:00' as at, '-5' as text`,
    data_source_id: sources.find(({ type }) => type === 'telltale')?.id,
  });
  await fetch(`${origin}/api/queries/${query.id}/results`, {
    method: 'POST',
    headers: { ...headers, prefer: 'wait=20' },
    body: '{"max_age":0}',
  });
  await check('DuckDB reading CSV by key', async () => {
    const { DuckDBInstance } = createRequire(join(root, 'server/package.json'))('@duckdb/node-api') as DuckDb;
    const file = join(folder, 'result.csv');
    writeFileSync(file, await (await fetch(`${origin}/api/queries/${query.id}/results.csv?raw=1&api_key=${api_key}`)).text());
    const connection = await (await DuckDBInstance.create()).connect();
    const reader = await connection.runAndReadAll(`select year("at")::int as year, n, typeof("at") as type from read_csv('${file}')`);
    const [row] = reader.getRowObjectsJson();
    if (row?.year !== 2026) throw new Error(`read ${JSON.stringify(row)}`);
    return `read ${JSON.stringify(row)}`;
  });

  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${origin}/api/openapi.json`, { headers })).text());
  await check('redocly lint', () => {
    const lint = spawnSync('npx', ['--yes', '@redocly/cli@2.73.0', 'lint', '--format', 'summary', document], {
      encoding: 'utf8',
      timeout: 240_000,
    });
    if (lint.status !== 0) throw new Error((lint.stdout + lint.stderr).trim().slice(-400));
    return 'no errors';
  });
  await check('generated OpenAPI client', async () => {
    const place = join(folder, 'client');
    mkdirSync(place);
    cpSync(join(root, 'scripts/clients/openapi-client.ts.txt'), join(place, 'client.ts'));
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    writeFileSync(join(place, 'package.json'), '{"type":"module"}');
    // The generator needs an older TypeScript than ours.
    await command('npx', [
      '--yes',
      '-p',
      'openapi-typescript@7.13.0',
      '-p',
      'typescript@5.9.3',
      'openapi-typescript',
      document,
      '-o',
      join(place, 'api.d.ts'),
    ]);
    const options =
      '--noEmit --strict --skipLibCheck --module nodenext --target esnext --types node --allowImportingTsExtensions client.ts';
    await command(join(root, 'node_modules/.bin/tsc'), options.split(' '), { cwd: place });
    return command(process.execPath, ['client.ts', origin, api_key], { cwd: place });
  });

  await check('MCP SDK client', async () => {
    const client = new Client({ name: 'clients', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      requestInit: { headers: { authorization: `Key ${api_key}` } },
    });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const { tools } = await client.listTools();
    const last = await client.callTool({ name: 'get_last_values', arguments: { channel_id: 'clients', device_id: 'one' } });
    await client.close();
    return `${tools.length} tools; last values: ${JSON.stringify((last.content as { text: string }[])[0]?.text).slice(0, 80)}`;
  });
} finally {
  server.kill('SIGTERM');
  await new Promise<void>((done) => (server.exitCode === null ? server.once('exit', () => done()) : done()));
  rmSync(folder, { recursive: true, force: true });
}

console.table(outcomes);
if (outcomes.some(({ outcome }) => outcome === 'FAILED')) process.exitCode = 1;
