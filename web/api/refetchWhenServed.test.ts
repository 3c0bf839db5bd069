import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './ApiError.ts';
import { refetchWhenServed, shouldRetry } from './refetchWhenServed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aPage(read: () => Promise<string>, isServed: () => boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  refetchWhenServed(client, async () => isServed());
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn: read });
  observer.subscribe(() => {});
  return observer;
}

test('what could not be read is read again when the server answers, and not before', async () => {
  let [isServed, reads] = [false, 0];
  const page = aPage(
    async () => {
      reads++;
      if (!isServed) throw new ApiError(0, 'away');
      return 'rows';
    },
    () => isServed,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect([page.getCurrentResult().status, reads]).toEqual(['error', 1]);
  isServed = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect([page.getCurrentResult().data, reads]).toEqual(['rows', 2]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reads).toBe(2);
});

test('a refusal is final', async () => {
  let reads = 0;
  aPage(
    async () => {
      reads++;
      throw new ApiError(403, 'no');
    },
    () => true,
  );
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reads).toBe(1);
});

test('a server that answers but stays unable is asked ever more rarely', async () => {
  let reads = 0;
  aPage(
    async () => {
      reads++;
      throw new ApiError(503, 'no database');
    },
    () => true,
  );
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reads).toBeGreaterThan(4);
  expect(reads).toBeLessThan(10);
});

test.each([
  { status: 0, most: 3 },
  { status: 503, most: 1 },
  { status: 403, most: 0 },
])('before the page shows an error, an answer of $status is asked for $most times more', ({ status, most }) => {
  const retries = [0, 1, 2, 3].filter((failures) => shouldRetry(failures, new ApiError(status, '')));
  expect(retries).toHaveLength(most);
});
