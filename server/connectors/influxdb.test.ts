import { expect, test } from 'vitest';
import { readOnlyMessage } from './connector.ts';
import { basicAuth } from './http/ask.ts';
import { influxdb } from './influxdb.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { askInfluxdb, missingInfluxdb, startInfluxdb, writePoints } from './testing/influxdb-server.ts';
import { sendJson, serverForTest } from './testing/local-server.ts';
import type { Program } from './testing/program.ts';
import { runOnce } from './testing/run-table.ts';

let program: Program;
const admin = basicAuth('admin', 'first');
const ask = (query: string) => askInfluxdb(program.port, query, admin);
/** The state that a write would change. */
const state = async () => [await ask('SHOW DATABASES'), await ask('SHOW MEASUREMENTS'), await ask('SELECT count(*) FROM temperature')];

describeConnector(influxdb, {
  missing: missingInfluxdb,
  setUp: async () => {
    program = await startInfluxdb({ hasAuth: true });
    await ask(`CREATE USER admin WITH PASSWORD 'first' WITH ALL PRIVILEGES`);
    await ask('CREATE DATABASE plant');
    await ask('CREATE DATABASE other');
    const lines = [
      'temperature,room=Küche\\ 1 v=1.5,i=9223372036854775807i,s="größe 🚀",b=true 1767323045678',
      'temperature,room=b v=2 1767323046000',
      'humidity,room=b v=40 1767323046000',
    ];
    await writePoints(program.port, lines, admin);
    await writePoints(program.port, [`thousand ${Array.from({ length: 999 }, (_, i) => `f${i}=${i}`).join(',')} 1767323046000`], admin);
    for (let i = 0; i < 300_000; i += 10_000) {
      await writePoints(
        program.port,
        Array.from(
          { length: 10_000 },
          (_, n) => `big,device=d${n % 7} v=${n / 8},text="some text to fill the line" ${1767323045000 + i + n}`,
        ),
        admin,
      );
    }
  },
  tearDown: () => program.stop(),
  server: () => ({ host: '127.0.0.1', port: program.port }),
  // The account may write, so that our own check refuses the statements, not the server.
  options: (at) => ({ url: `http://127.0.0.1:${at?.port ?? program.port}/`, database: 'plant', username: 'admin', password: 'first' }),
  sql: {
    one: 'SELECT v FROM temperature LIMIT 1',
    values: {
      'all kinds, nulls and big integers': {
        query: 'SELECT * FROM temperature',
        columns: { time: 'datetime', b: 'boolean', i: 'integer', room: 'string', s: 'string', v: 'float' },
        rows: [
          { time: '2026-01-02T03:04:05.678Z', b: true, i: '9223372036854775807', room: 'Küche 1', s: 'größe 🚀', v: 1.5 },
          { time: '2026-01-02T03:04:06Z', b: null, i: null, room: 'b', s: null, v: 2 },
        ],
      },
      'tags of the series are columns': {
        query: 'SELECT v FROM temperature GROUP BY room',
        columns: { time: 'datetime', v: 'float', room: 'string' },
        rows: [
          { time: '2026-01-02T03:04:05.678Z', v: 1.5, room: 'Küche 1' },
          { time: '2026-01-02T03:04:06Z', v: 2, room: 'b' },
        ],
      },
      'several measurements are told apart': {
        query: "SELECT v FROM /temp.*|hum.*/ WHERE room = 'b'",
        columns: { name: 'string', time: 'datetime', v: 'integer' },
        rows: [
          { name: 'humidity', time: '2026-01-02T03:04:06Z', v: 40 },
          { name: 'temperature', time: '2026-01-02T03:04:06Z', v: 2 },
        ],
      },
      'of several statements the last one counts': {
        query: 'SHOW MEASUREMENTS; SELECT mean(v) FROM temperature',
        rows: [{ time: '1970-01-01T00:00:00Z', mean: 1.75 }],
      },
      'what the server shows': { query: 'SHOW TAG KEYS FROM temperature', columns: { tagKey: 'string' }, rows: [{ tagKey: 'room' }] },
      'time zones': {
        query: "SELECT v FROM temperature WHERE room = 'b' tz('Asia/Tokyo')",
        rows: [{ time: '2026-01-02T12:04:06+09:00', v: 2 }],
      },
    },
    empty: { query: 'SELECT v FROM temperature WHERE v > 1000', columns: {} },
    wide: () => 'SELECT * FROM thousand',
    many: { query: 'SELECT * FROM big', rows: 300_000 },
    errors: {
      'a mistake has its place': { query: 'SELECT v\nFRM temperature', line: 2, column: 1, message: /found FRM, expected FROM/ },
      'another database': { query: 'SELECT v FROM nowhere..temperature', message: /database not found: nowhere/ },
      'a later statement that fails': {
        query: 'SELECT v FROM temperature; SELECT v FROM nowhere..x',
        message: /database not found: nowhere/,
      },
    },
    slow: {
      query:
        'SELECT median(v) FROM big WHERE time >= 0 AND time < 4000000000s AND text =~ /(s|o|m|e)*(t|e|x)*t+/ GROUP BY time(1m), device',
      isRunning: async () => (await ask('SHOW QUERIES')).includes('median'),
    },
    long: 'SELECT * FROM big',
    writes: {
      attempts: [
        'DROP DATABASE other',
        'CREATE DATABASE more',
        'DROP MEASUREMENT humidity',
        'DELETE FROM humidity',
        'SELECT v INTO copied FROM temperature',
        'SELECT v INTO other..copied FROM temperature',
        'SELECT v FROM temperature; DROP DATABASE other',
        'SELECT v*1.5INTO copied FROM temperature',
        'SELECT v/**/INTO/**/copied FROM temperature',
        'SELECT v FROM temperature --\r; DROP DATABASE other',
        "SELECT v FROM temperature WHERE room =~ /x\\\\/ AND room = '/; DROP DATABASE other --'",
        'SELECT * / v FROM temperature; DROP DATABASE other /',
        "SELECT v FROM temperature WHERE room =~ /'/; DROP DATABASE other --'",
        'KILL QUERY 1',
        "SET PASSWORD FOR admin = 'x'",
      ],
      state,
    },
  },
  schema: {
    tables: [
      {
        name: 'temperature',
        columns: [
          { name: 'time', type: 'datetime' },
          { name: 'i', type: 'integer' },
          { name: 's', type: 'string' },
          { name: 'room', type: 'tag' },
        ],
      },
      { name: 'humidity', columns: [{ name: 'v', type: 'float' }] },
    ],
    large: {
      prepare: async () => {
        for (let m = 0; m < 100; m++)
          await writePoints(program.port, [`wide_${m} ${Array.from({ length: 200 }, (_, i) => `f${i}=1`).join(',')} 1767323046000`], admin);
      },
      columns: 20_000,
      withinMs: 10_000,
    },
  },
});

test('a series that brings a column too late is an error, not a lost value', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => [i]);
  const { origin } = await serverForTest((_request, response) => {
    const line = (series: object) => JSON.stringify({ results: [{ statement_id: 0, series: [series] }] });
    response.setHeader('content-type', 'application/json');
    response.end(`${line({ name: 'a', columns: ['v'], values: many })}\n${line({ name: 'a', columns: ['w'], values: [[1]] })}\n`);
  });
  await expect(runOnce(influxdb, { url: origin }, 'SELECT * FROM a')).rejects.toThrow(
    "The column 'w' comes only in a later series; select it by name.",
  );
});

test('a wrong password, a wrong database and a wrong server are told apart', async () => {
  const refusing = await serverForTest((_request, response) => {
    response.statusCode = 401;
    sendJson(response, { error: 'authorization failed' });
  });
  await expect(runOnce(influxdb, { url: refusing.origin, username: 'a', password: 'b' }, 'SHOW DATABASES')).rejects.toThrow(
    'authorization failed',
  );
  const other = await serverForTest((_request, response) => void response.end('hello'));
  await expect(runOnce(influxdb, { url: other.origin }, 'SHOW DATABASES')).rejects.toThrow(
    'The server does not answer as InfluxDB does (200): hello',
  );
  await expect(runOnce(influxdb, { url: other.origin }, 'DROP DATABASE x')).rejects.toThrow(readOnlyMessage);
});
