import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const user = await app.make.user();
const client = app.as(user);
const source = await app.make.dataSource();
const format = (query: string, more: Record<string, unknown> = {}) => client.call(queriesApi.format, { body: { query, ...more } });

describe('server-behaviour 7.17: SQL', () => {
  test('keywords in capitals, one item per line, parameters as they are', async () => {
    const { body } = await format("select a, b as c from t where x = {{ p }} and y between '{{ r.start }}' and {{r.end}} limit 5");
    expect(body.query).toBe(
      "SELECT\n  a,\n  b AS c\nFROM\n  t\nWHERE\n  x = {{ p }}\n  AND y BETWEEN '{{ r.start }}' AND {{r.end}}\nLIMIT\n  5",
    );
  });

  test('by the dialect of the source', async () => {
    const query = 'select $tag$ it is $tag$, a::int';
    expect((await format(query, { data_source_id: source.id })).body.query).toBe('SELECT\n  $tag$ it is $tag$,\n  a::int');
  });

  test('formatting twice changes nothing more', async () => {
    const once = (await format('with a as (select 1) select * from a join b using (x) order by 1 -- end')).body.query;
    expect((await format(once)).body.query).toBe(once);
  });

  test.each(['', '   ', '-- only a comment', ';'])('%j is accepted', async (query) => expect((await format(query)).status).toBe(200));

  test('what cannot be read says where', async () => {
    expect(await format("select 'open")).toMatchObject({ status: 400, message: /^The query cannot be formatted: .*line 1 column 8/ });
  });

  test('security 32: a text over which the formatter would think for minutes is given up, and others go on', async () => {
    const [evil, good] = await Promise.all([format('/*'.repeat(20_000)), format('select 1')]);
    expect(evil).toMatchObject({ status: 400, message: 'The query cannot be formatted: it takes too long.' });
    expect(good.body.query).toBe('SELECT\n  1');
    expect((await format(`select ${'('.repeat(20_000)}`)).status).toBe(400);
    expect(await format('x'.repeat(100_001))).toMatchObject({ status: 400, message: /too long to be formatted/ });
    expect((await format('select 1')).status).toBe(200);
  });

  test('security 20: a source that one cannot see is not named', async () => {
    const hidden = await app.make.dataSource({ groups: {} });
    expect((await format('select 1', { data_source_id: hidden.id })).status).toBe(403);
  });
});

describe('Q5: JSON, and nothing else', () => {
  test('numbers and parameters stay as they were written', async () => {
    const { body } = await format('{"a":[1,2.50,12345678901234567890],"b":{{ x }},"c":"{{ y }} -1"}', { syntax: 'json' });
    expect(body.query).toBe('{\n  "a": [\n    1,\n    2.50,\n    12345678901234567890\n  ],\n  "b": {{ x }},\n  "c": "{{ y }} -1"\n}');
  });

  test('invalid JSON is reported', async () => {
    expect(await format('{"a":', { syntax: 'json' })).toMatchObject({ status: 400, message: /^The query cannot be formatted: / });
  });

  test.each(['yaml', 'python', 'custom', 'SQL'])('%s is not supported', async (syntax) => {
    expect(await format('a: 1', { syntax })).toMatchObject({
      status: 400,
      message: 'Query formatting is not supported for your data source syntax.',
    });
  });
});
