import { randomUUID } from 'node:crypto';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const [owner, other] = [await app.make.user(), await app.make.user()];
const report = defineJob({ name: 'test.report', queue: 'default', payload: z.object({ secret: z.string() }), run: async () => 7 });
const queue = (user_id: number | null = owner.id) => app.ctx.enqueue(report, { secret: 'payload' }, { user_id });
const as = (user: { api_key: string }, id: string) => app.as(user).call(jobsApi.get, { params: { id } });
const set = (id: string, changes: Record<string, unknown>) =>
  sql`update jobs set status = ${changes.status}, result = ${JSON.stringify(changes.result ?? null)}::jsonb,
    error = ${JSON.stringify(changes.error ?? null)}::jsonb, started_at = now() where id = ${id}`.execute(app.ctx.db);

describe('server-behaviour 8.5: the job object', () => {
  test('while it waits, runs, is done and has failed', async () => {
    const id = await queue();
    expect((await as(owner, id)).body.job).toEqual({ id, updated_at: 0, status: 1, error: '', result: null, query_result_id: null });
    await set(id, { status: 2 });
    expect((await as(owner, id)).body.job).toMatchObject({ status: 2, updated_at: expect.stringMatching(/Z$/), error: '' });
    await set(id, { status: 3, result: 7 });
    expect((await as(owner, id)).body.job).toMatchObject({ status: 3, result: 7, query_result_id: 7, error: '' });
    await set(id, { status: 4, error: 'It broke.', result: 7 });
    expect((await as(owner, id)).body.job).toMatchObject({ status: 4, error: 'It broke.', result: null, query_result_id: null });
  });

  test("security 26: a job's answer has no other fields", async () => {
    const { body } = await as(owner, await queue());
    expect(JSON.stringify(body)).not.toMatch(/payload|secret|meta|process/);
  });
});

describe('W8: whose job it is', () => {
  test('its owner and administrators read it; for others it does not exist', async () => {
    const id = await queue();
    expect([(await as(owner, id)).status, (await as(app.admin, id)).status, (await as(other, id)).status]).toEqual([200, 200, 404]);
    const [mine, none] = [await as(other, id), await as(other, randomUUID())];
    expect(mine.message).toBe(none.message);
  });

  test('nobody but an administrator reads a job of the product', async () => {
    const id = await queue(null);
    expect([(await as(owner, id)).status, (await as(app.admin, id)).status]).toEqual([404, 200]);
  });

  test('only they cancel it', async () => {
    const id = await queue();
    const cancel = (user: { api_key: string }) => app.as(user).call(jobsApi.cancel, { params: { id } });
    expect((await cancel(other)).status).toBe(404);
    expect((await as(owner, id)).body.job.status).toBe(1);
    expect(await cancel(owner)).toMatchObject({ status: 200, body: null });
    expect((await as(owner, id)).body.job).toMatchObject({ status: 4, error: 'Query cancelled by user.' });
    expect((await cancel(owner)).status).toBe(200);
    const second = await queue();
    expect((await app.as(app.admin).call(jobsApi.cancel, { params: { id: second } })).status).toBe(200);
    expect((await as(owner, second)).body.job.status).toBe(4);
  });

  test('a job outlives its owner, for administrators', async () => {
    const leaver = await app.make.user({ pending: true });
    const id = await queue(leaver.id);
    await app.as(app.admin).json('DELETE', `/api/users/${leaver.id}`);
    expect((await as(app.admin, id)).status).toBe(200);
    expect((await as(owner, id)).status).toBe(404);
  });
});

test.each(['1', 'abc', '%00', "' or 1=1--", '00000000-0000-0000-0000-00000000000g', `${randomUUID()}x`, '..%2f..%2fusers', '🙂'])(
  'an id that is none (%j) is a 404',
  async (id) => {
    for (const method of ['GET', 'DELETE']) {
      expect(
        (await app.as(app.admin).fetch(`/api/jobs/${id.startsWith('%') || id.startsWith('..') ? id : encodeURIComponent(id)}`, { method }))
          .status,
      ).toBeOneOf([404, 400]);
    }
  },
);
