import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const user = await app.make.user();
const client = app.as(user);
const source = await app.make.dataSource();
const texts: Record<string, Record<string, unknown>> = {
  sales: { name: 'Daily sales report', query: 'select sum(amount) from app.orders', description: 'for the board' },
  costs: { name: 'Costs by room', query: 'select cost from ledger where room_id = 7', tags: ['finance', 'half-year'] },
  temp: { name: 'Temperature-room 100%', query: "select value from app.metric where attribute = 'temp_c'" },
  mention: { name: 'Something else', query: 'select 1 -- sales are mentioned here' },
  french: { name: 'Été à la plage', query: 'select 2' },
  japanese: { name: '売上日報', description: '東京の売上', query: 'select 3' },
};
const idOf: Record<string, number> = {};
for (const [key, more] of Object.entries(texts)) {
  idOf[key] = (await client.get(queriesApi.create, { body: { data_source_id: source.id, query: '', name: key, ...more } })).id;
}
const found = async (q: string, more: object = {}) => {
  const { results } = await client.get(queriesApi.list, { query: { q, page_size: 250, ...more } });
  return results.map(({ id }) => Object.keys(idOf).find((key) => idOf[key] === id) ?? String(id));
};

describe('server-behaviour 7.9: words', () => {
  test.each([
    ['sales', ['sales', 'mention']],
    ['SALES', ['sales', 'mention']],
    ['sal', ['sales', 'mention']],
    ['ales', []],
    ['daily report', ['sales']],
    ['daily costs', []],
    ['daily or costs', ['sales', 'costs']],
    ['sales -board', ['mention']],
    ['"daily sales"', ['sales']],
    ['"sales daily"', []],
    ['(daily or costs) -room', ['sales']],
    ['metric', ['temp']],
    ['app.metric', ['temp']],
    ['app', ['sales', 'temp']],
    ['temp_c', ['temp']],
    ['room', ['costs', 'temp']],
    ['temperature-room', ['temp']],
    ['room-temperature', []],
    ['finance', ['costs']],
    ['half-year', ['costs']],
    ['board', ['sales']],
    ['été', ['french']],
    ['ÉTÉ', ['french']],
    ['plag', ['french']],
    ['売上', ['japanese']],
    ['nowhere', []],
  ])('%s', async (q, expected) => expect((await found(q)).sort()).toEqual([...expected].sort()));

  test('names weigh more than texts, unless another order is asked for', async () => {
    expect(await found('sales')).toEqual(['sales', 'mention']);
    expect(await found('sales', { order: '-created_at' })).toEqual(['mention', 'sales']);
    expect(await found('sales', { order: 'nonsense' })).toEqual(['sales', 'mention']);
  });

  test('a bare number finds the query with that number, first of all', async () => {
    const { id } = await client.get(queriesApi.create, { body: { data_source_id: source.id, query: 'select 1', name: `${idOf.sales}` } });
    expect((await found(String(idOf.sales))).slice(0, 2)).toEqual(['sales', String(id)]);
    await client.get(queriesApi.archive, { params: { id } });
  });

  test.each([
    "'",
    '"',
    '\\',
    '%',
    '_',
    '&',
    '|',
    '!',
    ':*',
    '()',
    '<->',
    "a' | 'b",
    "'); drop table queries; --",
    '\u{1F600}',
    'x'.repeat(1000),
  ])('%j is no error', async (q) => expect((await client.call(queriesApi.list, { query: { q } })).status).toBe(200));

  test('W42: signs are not patterns', async () => {
    expect(await found('%')).toEqual([]);
    expect(await found('100%')).toEqual(['temp']);
  });

  test('a changed query is found by its new words at once, and no longer by the old', async () => {
    const id = idOf.mention ?? 0;
    await client.get(queriesApi.save, { params: { id }, body: { name: 'Zebra crossing', query: 'select 1', tags: ['stripes'] } });
    expect([await found('zebra'), await found('stripes'), await found('mentioned')]).toEqual([['mention'], ['mention'], []]);
  });

  test('only within what one can see, and within one’s own for My Queries', async () => {
    const other = await app.make.user();
    expect((await app.as(other).get(queriesApi.my, { query: { q: 'sales' } })).count).toBe(0);
    expect((await app.as(other).get(queriesApi.list, { query: { q: 'sales' } })).count).toBe(1);
    const guest = await app.make.user({ groups: [], group_ids: [(await app.make.group()).id] });
    expect((await app.as(guest).get(queriesApi.list, { query: { q: 'sales' } })).count).toBe(0);
  });

  test('a text of a million different words can be saved and is found by its first ones', async () => {
    const query = `select first_word -- ${Array.from({ length: 110_000 }, (_, i) => `w${i.toString(36)}`).join(' ')}`;
    const body = { data_source_id: source.id, query, name: 'Long', description: '長'.repeat(4000) };
    const { id } = await client.get(queriesApi.create, { body });
    expect(await found('first_word')).toEqual([String(id)]);
    await client.get(queriesApi.archive, { params: { id } });
  });

  test('the index is used', async () => {
    await sql`set enable_seqscan = off`.execute(app.ctx.db);
    const plan = await sql<Record<string, string>>`
      explain select query_id from query_search where search @@ to_tsquery('simple', '''sales'':*')`.execute(app.ctx.db);
    expect(JSON.stringify(plan.rows)).toContain('query_search_words');
  });
});

describe('server-behaviour 7.9: parts of words, when the setting asks for them', () => {
  test('on', async () => {
    await app.as(app.admin).get(organizationApi.saveSettings, { body: { multi_byte_search_enabled: true } });
  });

  test.each([
    ['日報', ['japanese']],
    ['東京', ['japanese']],
    ['上日', ['japanese']],
    ['売上 日報', ['japanese']],
    ['売上 costs', []],
    ['ales rep', ['sales']],
    ['ROOM', ['costs', 'temp']],
    ['name:room', ['costs', 'temp']],
    ['description:board', ['sales']],
    ['name:board', []],
    ['query:ledger', ['costs']],
    ['ledger', []],
    ['"by room"', ['costs']],
    ['name:"by room"', ['costs']],
    ['100%', ['temp']],
    ['1%0', []],
    ['_', []],
    ['%', ['temp']],
    ['\\', []],
    ['id:x', []],
    ["'; --", []],
  ])('%s', async (q, expected) => expect(await found(q)).toEqual(expected));

  test('a number, with and without its key', async () => {
    expect(await found(`id:${idOf.costs}`)).toEqual(['costs']);
    expect(await found(String(idOf.costs))).toContain('costs');
    expect(await found('id:99999999999')).toEqual([]);
  });

  test('ordering is kept', async () => {
    expect(await found('room', { order: '-name' })).toEqual(['temp', 'costs']);
    expect(await found('room', { order: 'name' })).toEqual(['costs', 'temp']);
  });
});
