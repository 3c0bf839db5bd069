import { getEventListeners } from 'node:events';
import type { Job } from '@telltale/domain/jobs/contract.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelJob, waitForJob } from './jobs.ts';

const job = (status: Job['status']): Job => ({
  id: '11111111-1111-4111-8111-111111111111',
  updated_at: 0,
  status,
  error: '',
  result: null,
  query_result_id: null,
});
let status: Job['status'] = 2;
let asked = 0;
let browser = new EventTarget();

beforeEach(() => {
  [status, asked, browser] = [2, 0, new EventTarget()];
  vi.useFakeTimers();
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  vi.stubGlobal('fetch', async () => {
    asked++;
    return new Response(JSON.stringify({ job: job(status) }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a long wait for a job adds one abort listener, and removes it at the end (Q9)', async () => {
  const { signal } = new AbortController();
  const waiting = waitForJob(job(1), { signal, queryId: 7 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  status = 3;
  await vi.advanceTimersByTimeAsync(3000);
  expect((await waiting).status).toBe(3);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('an aborted wait ends at once, also between two polls', async () => {
  const stopped = new AbortController();
  const waiting = waitForJob(job(1), { signal: stopped.signal, queryId: 7 });
  const left = expect(waiting).rejects.toThrow('left the page');
  await vi.advanceTimersByTimeAsync(20_000);
  stopped.abort(new Error('left the page'));
  await left;
  await expect(waitForJob(job(1), { signal: stopped.signal, queryId: 7 })).rejects.toThrow('left the page');
});

/** A live socket that reports the state of a job once, and then nothing any more. */
function silentSocket() {
  class Silent {
    static OPEN = 1;
    readyState = 1;
    onopen = () => {};
    onmessage: (message: { data: string }) => void = () => {};
    close = vi.fn();
    constructor() {
      setTimeout(() => this.onopen());
    }
    send(text: string) {
      const frame = text.includes('watch') ? { event: 'job', data: { job: job(2) } } : { event: 'pong', data: {} };
      setTimeout(() => this.onmessage({ data: JSON.stringify(frame) }));
    }
  }
  vi.stubGlobal('WebSocket', Silent);
  vi.stubGlobal('location', { origin: 'http://console.example' });
}

test('a job that the live socket told of is asked for all the same, seldom, and its end is not missed (Q9)', async () => {
  silentSocket();
  const waiting = waitForJob(job(1));
  await vi.advanceTimersByTimeAsync(14_000);
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(asked).toBe(1);
  status = 3;
  await vi.advanceTimersByTimeAsync(15_000);
  expect((await waiting).status).toBe(3);
});

test('it is asked for at once after a cancel, and when the connection goes or comes', async () => {
  silentSocket();
  const waiting = waitForJob(job(1));
  await vi.advanceTimersByTimeAsync(100);
  for (const event of ['offline', 'online']) {
    browser.dispatchEvent(new Event(event));
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(asked).toBe(2);
  status = 4;
  await Promise.all([cancelJob(job(1).id), vi.advanceTimersByTimeAsync(10)]);
  await vi.advanceTimersByTimeAsync(10);
  expect((await waiting).status).toBe(4);
});
