import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { defineSignal, emit, on } from './signals.ts';

const app = await testApp();
const names = async () =>
  (await sql<{ name: string }>`select name from leases order by name`.execute(app.ctx.db)).rows.map((row) => row.name);
const note = (name: string) =>
  sql`insert into leases (name, holder, until) values (${name}, '00000000-0000-0000-0000-000000000000', now() + interval '1 hour')`;

test('style 2: who reacts does so in the transaction of the one who tells, in order', async () => {
  const happened = defineSignal<{ name: string }>('happened');
  on(happened, (tx, { name }) => note(`${name} 1`).execute(tx.db));
  on(happened, (tx, { name }) => note(`${name} 2`).execute(tx.db));
  await app.ctx.transaction((tx) => emit(tx, happened, { name: 'a' }));
  expect(await names()).toEqual(['a 1', 'a 2']);
});

test('a reaction that throws undoes everything', async () => {
  const asked = defineSignal<number>('asked');
  on(asked, () => Promise.reject(new Error('no')));
  const work = app.ctx.transaction(async (tx) => {
    await note('never').execute(tx.db);
    await emit(tx, asked, 1);
  });
  await expect(work).rejects.toThrow('no');
  expect(await names()).not.toContain('never');
});

test('one reaction is one reaction, and can be taken back', async () => {
  let count = 0;
  const heard = defineSignal<null>('heard');
  const react = async () => void count++;
  const stop = on(heard, react);
  on(heard, react);
  await app.ctx.transaction((tx) => emit(tx, heard, null));
  stop();
  await app.ctx.transaction((tx) => emit(tx, heard, null));
  expect(count).toBe(1);
});

test('outside of a transaction no reaction runs', async () => {
  await expect(emit(app.ctx, defineSignal<null>('lost'), null)).rejects.toThrow('lost');
});
