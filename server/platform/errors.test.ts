import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { fromDatabaseError } from './errors.ts';

const app = await testApp();
const user = await app.make.user();
const faultOf = async (statement: ReturnType<typeof sql>) => {
  const error = await statement.execute(app.ctx.db).then(
    () => null,
    (fault: unknown) => fault,
  );
  return fromDatabaseError(error);
};

describe('what the database refuses, told to the caller', () => {
  test.each([
    ['a duplicate', sql`insert into memberships select * from memberships limit 1`, 409],
    ['a reference to nothing', sql`insert into memberships (group_id, user_id) values (999999, ${user.id})`, 409],
    ['a row in use', sql`delete from organizations`, 409],
    ['a value out of range', sql`select 99999999999::int`, 400],
    ['text that is no number', sql`select ${'abc'}::int`, 400],
    ['text that is no time', sql`select ${'the day after'}::timestamptz`, 400],
    ['text that is no JSON', sql`select ${'{'}::jsonb`, 400],
    ['U+0000', sql`select ${'{"a":"\\u0000"}'}::jsonb->>'a'`, 400],
    ['a check that fails', sql`insert into groups (org_id, type, name, permissions) values (1, 'strange', 'x', '{}')`, 400],
    ['a missing value', sql`update users set name = null where id = ${user.id}`, 400],
    ['a division by zero', sql`select 1 / 0`, 400],
  ])('%s', async (_, statement, status) => {
    const fault = await faultOf(statement);
    expect(fault?.status).toBe(status);
    // Names of tables and constraints must not leak.
    expect(fault?.message).not.toMatch(/memberships|users|groups|constraint|relation|column|violates/i);
  });

  test('a mistake of ours stays one: it is not blamed on the caller', async () => {
    expect(await faultOf(sql`select * from nowhere`)).toBeNull();
    expect(await faultOf(sql`selct 1`)).toBeNull();
    expect(fromDatabaseError(new TypeError('x is not a function'))).toBeNull();
    expect(fromDatabaseError('text')).toBeNull();
    expect(fromDatabaseError(undefined)).toBeNull();
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN', '57P01', '57P03', '53300', '08006'])(
    '%s is a database that is away',
    (code) => {
      expect(fromDatabaseError(Object.assign(new Error('x'), { code }))).toMatchObject({
        status: 503,
        message: expect.not.stringContaining('x'),
      });
    },
  );

  test('of two transactions in a deadlock one gets "try again"', async () => {
    const [one, two] = [await app.make.user(), await app.make.user()];
    let holders = 0;
    const bothHold = Promise.withResolvers<void>();
    const rename = (first: number, second: number) =>
      app.ctx.transaction(async (tx) => {
        await sql`update users set name = 'x' where id = ${first}`.execute(tx.db);
        if (++holders === 2) bothHold.resolve();
        await bothHold.promise;
        await sql`update users set name = 'y' where id = ${second}`.execute(tx.db);
      });
    const ends = await Promise.allSettled([rename(one.id, two.id), rename(two.id, one.id)]);
    expect(ends.map((end) => (end.status === 'rejected' ? fromDatabaseError(end.reason)?.status : 200)).sort()).toEqual([200, 409]);
  });
});
