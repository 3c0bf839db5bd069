import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await target.query(`
  create table reading as select i as id, 'device ' || i as device, date '2024-01-01' + i as at from generate_series(1, 20) i;
  create table secret as select 'the canary' as value`);
await app.startWorker();

const ann = await app.make.user();
const viewers = await app.make.group();
const viewer = await app.make.user({ groups: [], group_ids: [viewers.id] });
/** The source allows writes: only the checks of values protect the tables from a viewer. */
const source = await app.make.dataSource({
  options: { ...target.options, allow_writes: true },
  groups: { [viewers.id]: true, 2: false },
});

type Parameter = { name: string; type?: string; [key: string]: unknown };
const saved = (query: string, ...parameters: Parameter[]) =>
  app.make.query({ data_source_id: source.id, user_id: ann.id, query, options: { parameters: parameters as never } });
const run = (id: number, parameters?: object) => runSaved(app.as(ann), id, parameters ? { parameters } : {});
const tables = async () =>
  JSON.stringify(
    await target.query(`
      select (select count(*) from reading) as readings, (select count(*) from secret) as secrets, (select count(*) from pg_class) as relations,
        (select md5(string_agg(device, ',' order by id)) from reading) as devices`),
  );
const before = await tables();

describe('Q5: values that are missing', () => {
  const two = [
    { name: 'first_one', type: 'number' },
    { name: 'b', title: 'Second', type: 'number' },
  ];

  test('are named by their titles', async () => {
    const { id } = await saved('select {{first_one}} + {{b}}', ...two);
    expect(await run(id)).toMatchObject({ status: 400, job: { status: 4, error: 'missing values for First one, Second parameters.' } });
    expect(await run(id, { first_one: 1 })).toMatchObject({ status: 400, job: { error: 'missing value for Second parameter.' } });
    for (const nothing of [null, '', []])
      expect((await run(id, { first_one: 1, b: nothing })).error).toBe('missing value for Second parameter.');
    expect((await run(id, { first_one: 1, b: 2 })).rows).toEqual([{ '?column?': 3 }]);
  });

  test('are taken from what was saved only when none is given', async () => {
    const { id } = await saved(
      'select {{a}}::int as a, {{b}}::int as b',
      { name: 'a', type: 'number', value: 1 },
      { name: 'b', type: 'number', value: 2 },
    );
    expect((await run(id)).rows).toEqual([{ a: 1, b: 2 }]);
    expect((await run(id, { a: 5 })).error).toBe('missing value for B parameter.');
  });

  test('do not matter when the text does not use them', async () => {
    const { id } = await saved('select 1 as n', { name: 'unused', type: 'number' });
    expect((await run(id)).rows).toEqual([{ n: 1 }]);
  });
});

describe('W3: placeholders that nobody declared', () => {
  test('a saved query refuses them for every caller', async () => {
    const { id } = await saved(`select '{{x}}' as t`);
    for (const client of [app.as(ann), app.as(app.admin)]) {
      expect(await runSaved(client, id, { parameters: { x: 'y' } })).toMatchObject({
        status: 400,
        message: expect.stringContaining('not declared: x'),
      });
    }
  });

  test('an ad hoc run takes them as texts', async () => {
    const body = {
      data_source_id: source.id,
      query: `select '{{x}}' as a, {{y}} as b, {{z.part}} as c`,
      parameters: { x: `it's`, y: `o'clock`, z: { part: 5 } },
    };
    expect((await runAdHoc(app.as(ann), body)).rows).toEqual([{ a: `it's`, b: `o'clock`, c: 5 }]);
    expect((await runAdHoc(app.as(ann), { ...body, parameters: {} })).error).toMatch(/missing values for/);
  });

  test('a value that nobody declared is refused by name', async () => {
    const { id } = await saved('select {{a}}::int as a', { name: 'a', type: 'number' });
    expect(await run(id, { a: 1, extra: 2 })).toMatchObject({
      status: 400,
      message: expect.stringContaining('incompatible with their definitions: extra'),
    });
  });

  test.each(['{{#a}}x{{/a}}', '{{^a}}x{{/a}}', '{{> a}}', '{{! a}}', '{{=<% %>=}}', '{{&a}}'])(
    'the template word %s is no way around',
    async (tag) => {
      const { id } = await saved(`select ${tag} 1 as n, {{a}}`, { name: 'a', type: 'number' });
      expect((await run(id, { a: 1 })).rows).toBeUndefined();
      expect(await tables()).toBe(before);
    },
  );
});

describe('server-behaviour 10.2: each type', () => {
  test.each([
    [{ name: 'p', type: 'text' }, `it's 100% "so" \\ {{p}}`, `it's 100% "so" \\ {{p}}`],
    [{ name: 'p', type: 'text' }, 'ünï 🛰\n--', 'ünï 🛰\n--'],
    [{ name: 'p', type: 'number' }, '1e3', '1e3'],
    [{ name: 'p', type: 'number' }, -5, '-5'],
    [{ name: 'p', type: 'number' }, ' 7 ', '7'],
    [{ name: 'p', type: 'enum', enumOptions: `a\nit's\nc d` }, `it's`, `it's`],
    [{ name: 'p', type: 'enum', enumOptions: ['x', 'y'], multiValuesOptions: { separator: ',' } }, ['x', 'y'], 'x,y'],
    [{ name: 'p', type: 'date' }, '2024-02-29', '2024-02-29'],
    [{ name: 'p', type: 'datetime-local' }, '2024-02-29 13:45', '2024-02-29 13:45'],
    [{ name: 'p', type: 'datetime-with-seconds' }, '2024-02-29T13:45:10', '2024-02-29 13:45:10'],
    [{ name: 'p' }, 'no type is a text', 'no type is a text'],
    [{ name: 'p', type: 'no-such-type' }, 'neither', 'neither'],
  ])('%j with %j', async (parameter, value, expected) => {
    const { id } = await saved(`select '{{p}}' as t`, parameter as Parameter);
    expect((await run(id, { p: value })).rows).toEqual([{ t: expected }]);
  });

  test('a range has two ends, in one form or another', async () => {
    const { id } = await saved(`select count(*)::int as n from reading where at between {{p.start}} and {{p.end}}`, {
      name: 'p',
      type: 'date-range',
    });
    for (const p of [{ start: '2024-01-03', end: '2024-01-06' }, '2024-01-03--2024-01-06', ['2024-01-03', '2024-01-06']]) {
      expect((await run(id, { p })).rows).toEqual([{ n: 4 }]);
    }
  });

  test('a list outside of quotes is written by the quotation of its parameter', async () => {
    const multiValuesOptions = { prefix: `'`, suffix: `'`, separator: ',' };
    const parameter = { name: 'p', type: 'enum', enumOptions: ['device 1', 'device 2', `it's`], multiValuesOptions };
    const { id } = await saved('select count(*)::int as n from reading where device in ({{p}})', parameter);
    expect((await run(id, { p: ['device 1', 'device 2', `it's`] })).rows).toEqual([{ n: 2 }]);
  });

  test.each([
    [{ type: 'number' }, ['x', '1; drop', 'NaN', 'Infinity', '1_000', '0x10', {}, true, [1]]],
    [{ type: 'number', min: 1, max: 5 }, [0, 6, -1e300]],
    [{ type: 'enum', enumOptions: 'a\nb' }, ['c', 'A', 'a\nb', ['a'], {}, 'constructor']],
    [{ type: 'enum' }, ['a']],
    [
      { type: 'date' },
      [
        '10',
        'Mon',
        '12:30',
        '3;4',
        '10 and 5',
        `2020-01-01'--`,
        '2020-01-01;',
        '2020-01-01\n--',
        '2023-02-29',
        `2020-01-01' OR 1=1`,
        'd_last_week',
      ],
    ],
    [{ type: 'datetime-local' }, ['2020-01-01 25:00', '2020-01-01 12:00:00Z; drop', {}]],
    [
      { type: 'date-range' },
      ['2020-01-01', { start: '2020-01-01' }, { start: 'x', end: 'y' }, { start: `2020-01-01'--`, end: '2020-01-02' }, 'd_now', []],
    ],
    [{ type: 'text' }, [{}, { toString: 'x' }, ['a', { b: 1 }]]],
  ])('%j takes none of %j', async (parameter, values) => {
    const { id } = await saved(`select '{{p}}' as t`, { name: 'p', ...parameter });
    for (const p of values as unknown[]) {
      const outcome = await runSaved(app.as(viewer), id, { parameters: { p } });
      const asOwner = await run(id, { p });
      for (const { status, rows } of [outcome, asOwner]) {
        expect([400, 403], JSON.stringify(p)).toContain(status);
        expect(rows).toBeUndefined();
      }
    }
  });

  test('server-behaviour 10.3: dynamic dates are of now, in the zone of the organisation', async () => {
    const { id } = await saved(
      `select '{{now}}' as now, '{{week.start}}' as start, '{{week.end}}' as "end"`,
      { name: 'now', type: 'date', value: 'd_now' },
      { name: 'week', type: 'date-range', value: 'd_last_7_days' },
    );
    const zone = async (time_zone: string) => {
      await app.as(app.admin).json('POST', '/api/settings/organization', { time_zone });
      return (await run(id)).rows?.[0];
    };
    const day = (timeZone: string, daysAgo = 0) => new Date(Date.now() - daysAgo * 86_400_000).toLocaleDateString('sv', { timeZone });
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
      const days = () => ({ now: day(timeZone), start: day(timeZone, 7), end: day(timeZone) });
      // Midnight may pass while it runs.
      const before = days();
      const seen = await zone(timeZone);
      expect([before, days()]).toContainEqual(seen);
    }
  });

  test('a dynamic date is another text tomorrow, so today’s result is not its cache', async () => {
    const { id } = await saved(`select '{{now}}' as now`, { name: 'now', type: 'datetime-with-seconds', value: 'd_now' });
    const first = await runSaved(app.as(ann), id, { max_age: -1 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const second = await runSaved(app.as(ann), id, { max_age: -1 });
    expect(second.query_result?.id).not.toBe(first.query_result?.id);
  });
});

describe('security 3: hostile values', () => {
  const attacks = [
    `'; drop table reading; --`,
    `' or '1'='1`,
    `' union select value from secret --`,
    `'; update reading set device = 'x'; --`,
    `x' || (select value from secret) || '`,
    `\\'; drop table reading; --`,
    `$$; drop table reading; $$`,
    `*/ drop table reading /*`,
    '-- \n drop table reading',
    `'||chr(39)||'`,
    `1; drop table reading`,
    `1 union select 1 from secret`,
    `(select value from secret)`,
    `secret.value`,
    `U&'\\0027; drop table reading'`,
    `\u2019; drop table reading; --`,
    `\uff07; drop table reading; --`,
    `{{other}}`,
    `{{{p}}}`,
    `\u0027; select pg_sleep(10) --`,
    `E'\\x27'`,
    `"; drop table reading; --`,
    `%27; drop table reading; --`,
    `a\r\n; drop table reading`,
    `${'x'.repeat(50_000)}'; drop table reading`,
  ];
  const places = [
    `select '{{p}}' as t from reading where id = 1`,
    `select id, 'before {{p}} after' as t from reading where id = 1`,
    'select {{p}} as t from reading where id = 1',
    `select device as t from reading where device = '{{p}}'`,
    `select device as t from reading where device in ('a', '{{p}}')`,
    `select E'{{p}}' as t from reading where id = 1`,
    'select $tag$ {{p}} $tag$ as t from reading where id = 1',
    'select 1 as "{{p}}" from reading where id = 1',
    `select 1 as t from reading where id = 1 -- {{p}}`,
    `select 1 as t /* {{p}} */ from reading where id = 1`,
    `select device as t from reading order by {{p}}`,
    `select device as t from reading limit {{p}}`,
    `select '{{p}}' '{{p}}' as t`,
    `select device as t from reading where device like '%{{p}}%'`,
    `select device as t from {{p}}`,
    `select device_{{p}} as t from reading`,
  ];

  test.each(places)('%s: no value leaves its place', async (query) => {
    const { id } = await saved(query, { name: 'p', type: 'text' });
    const outcomes = await Promise.all(attacks.map((p) => run(id, { p })));
    for (const [i, { rows, status }] of outcomes.entries()) {
      expect(status, attacks[i]).toBeLessThan(500);
      expect(JSON.stringify(rows ?? []), attacks[i]).not.toContain('the canary');
    }
    expect(await tables()).toBe(before);
  });

  test.each(['number', 'date', 'datetime-local', 'date-range', 'enum', 'query'])(
    'a viewer and a key holder get nothing by a %s',
    async (type) => {
      const place = type === 'date-range' ? '{{p.start}}' : '{{p}}';
      const query = await saved(`select device as t from reading where device = '${place}'`, {
        name: 'p',
        type,
        enumOptions: 'a\nb',
        queryId: 1,
      });
      const clients = [app.as(viewer), app.as({ api_key: query.api_key })];
      const tries = attacks.slice(0, 24).flatMap((attack) => {
        const p = type === 'date-range' ? { start: attack, end: '2024-01-01' } : attack;
        return clients.map((client) => runSaved(client, query.id, { parameters: { p } }));
      });
      for (const outcome of await Promise.all(tries)) expect(outcome).toMatchObject({ status: 400, rows: undefined });
      expect(await tables()).toBe(before);
    },
  );

  test('security 31: names from the prototype are only names', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const { id } = await saved(`select '{{${name}}}' as t`, { name, type: 'number' });
      expect((await run(id)).error).toMatch(/missing value/);
      expect((await run(id, { [name]: 7 })).rows).toEqual([{ t: '7' }]);
    }
    const { id } = await saved(`select '{{__proto__}}' as t`);
    const raw = `{"max_age":0,"parameters":{"__proto__":{"x":1}}}`;
    const response = await app
      .as(ann)
      .fetch(`/api/queries/${id}/results`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: raw });
    expect(response.status).toBe(400);
  });

  test('security 4: what we add to a statement carries nothing that somebody typed', async () => {
    const mallory = await app.make.user({ name: `*/; drop table reading; --`, email: `"*/drop"@example.com` });
    const { id } = await app.make.query({ data_source_id: source.id, user_id: mallory.id, name: '*/ drop table reading; /*' });
    expect((await runSaved(app.as(mallory), id)).error).toBe('');
    expect(await tables()).toBe(before);
  });

  test('the text that ran is stored beside the result', async () => {
    const { id } = await saved(`select '{{p}}' as t`, { name: 'p', type: 'text' });
    const { query_result } = await run(id, { p: `it's` });
    const { rows } = await sql<{ query: string }>`select query from query_results where id = ${query_result?.id}`.execute(app.ctx.db);
    expect(rows).toEqual([{ query: `select 'it''s' as t` }]);
  });
});
