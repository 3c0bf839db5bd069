import { getEventListeners } from 'node:events';
import type { Job } from '@telltale/domain/jobs/contract.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForJob } from './jobs.ts';

const job = (status: Job['status']): Job => ({
  id: '11111111-1111-4111-8111-111111111111',
  updated_at: 0,
  status,
  error: '',
  result: null,
  query_result_id: null,
});
let status: Job['status'] = 2;

beforeEach(() => {
  status = 2;
  vi.useFakeTimers();
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ job: job(status) })));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('whoever waits long for a job listens once for being stopped, and no more when it has ended (Q9)', async () => {
  const { signal } = new AbortController();
  const waiting = waitForJob(job(1), { signal, queryId: 7 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  status = 3;
  await vi.advanceTimersByTimeAsync(3000);
  expect((await waiting).status).toBe(3);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('whoever stops waiting stops at once, also between two looks', async () => {
  const stopped = new AbortController();
  const waiting = waitForJob(job(1), { signal: stopped.signal, queryId: 7 });
  const left = expect(waiting).rejects.toThrow('left the page');
  await vi.advanceTimersByTimeAsync(20_000);
  stopped.abort(new Error('left the page'));
  await left;
  await expect(waitForJob(job(1), { signal: stopped.signal, queryId: 7 })).rejects.toThrow('left the page');
});
