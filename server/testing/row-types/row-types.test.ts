import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../test-app.ts';
import { checked, takeFaults } from './checked-sql.ts';
import { rowTypes, statements } from './plugin.ts';
import { differences, type Shape } from './row-shape.ts';

const app = await testApp();

const shape: Shape = {
  id: { kinds: ['number'] },
  name: { kinds: ['string', 'null'] },
  state: { kinds: ['string'], literals: ['on', 'off'] },
  note: { kinds: ['string'], isOptional: true },
};
const place = 'server/made-up.store.ts:1';

test.each([
  ['an answer as declared', sql`1 as id, null::text as name, 'on' as state`, []],
  ['an optional column', sql`1 as id, 'a' as name, 'off' as state, 'b' as note`, []],
  ['a column too few', sql`1 as id, 'on' as state`, ['column name is declared and not selected']],
  ['a column too many', sql`1 as id, 'a' as name, 'on' as state, 2 as more`, ['column more is selected and not declared']],
  ['null', sql`null::int as id, 'a' as name, 'on' as state`, ['column id is declared number, but came as null']],
  ['numeric, which comes as text', sql`1::numeric as id, 'a' as name, 'on' as state`, ['column id is declared number, but came as string']],
  ['a text that is not listed', sql`1 as id, 'a' as name, 'idle' as state`, ['column state is declared on | off, but came as "idle"']],
])('%s', async (_, columns, expected) => {
  await checked(sql, { place, shape })`select ${columns}`.execute(app.ctx.db);
  expect(takeFaults()).toEqual(expected.map((fault) => `${place}: ${fault}`));
});

test('an answer without rows is compared by the types of its columns', async () => {
  await checked(sql, { place, shape })`select 1::numeric as id, 'a' as name where false`.execute(app.ctx.db);
  expect(takeFaults()).toEqual([
    `${place}: column state is declared and not selected`,
    `${place}: column id is declared number, but came as string`,
  ]);
});

test('a statement of a generic function is compared with the row type of the fragment inside it', async () => {
  const fields = checked(sql, { place, shape })`1 as id, 'a' as name`;
  await checked(sql, { place: 'server/made-up.ts:2' })`select ${fields}`.execute(app.ctx.db);
  expect(takeFaults()).toEqual([`${place}: column state is declared and not selected`]);
});

test('bytes, lists, objects and times have kinds of their own', () => {
  const row = { bytes: Buffer.of(1), list: [1], object: {}, time: new Date(0) };
  const wrong: Shape = Object.fromEntries(Object.keys(row).map((name) => [name, { kinds: ['string'] }]));
  const fields = Object.keys(row).map((name) => ({ name, dataTypeID: 0 }));
  expect(differences(wrong, fields, [row]).map((text) => text.split(' ').at(-1))).toEqual(['bytes', 'array', 'object', 'date']);
});

test('row types are read by the type checker, through imports, Omit and intersections', () => {
  const shapes = Object.values(statements()).flatMap((each) => each.map((statement) => statement.shape ?? {}));
  expect(shapes.length).toBeGreaterThan(250);
  expect(statements()['server/users/users.store.ts']?.[0]?.shape).toMatchObject({
    id: { kinds: ['number'] },
    password_hash: { kinds: ['string', 'null'] },
    api_key_sealed: { kinds: ['bytes'] },
    groups: { kinds: ['array'] },
  });
  expect(statements()['server/queries/lists.store.ts']?.[0]?.shape).toMatchObject({ query: { kinds: ['string'], isOptional: true } });
});

test('a source with checks has as many lines as before', () => {
  const path = join(import.meta.dirname, '../../commands/schedules.store.ts');
  const source = readFileSync(path, 'utf8');
  const { code } = (rowTypes().transform as (code: string, id: string) => { code: string })(source, path);
  expect(code).toContain('_checked(sql, _statements[0])');
  expect(code.split('\n').length).toBe(source.split('\n').length);
});
