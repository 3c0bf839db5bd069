import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError } from './ApiError.ts';

/** A missing answer and the error of a server that is not ready yet pass by themselves; a refusal does not. */
const isTransient = (error: unknown): error is ApiError => error instanceof ApiError && (error.status === 0 || error.status >= 502);

/**
 * A server that does not answer is asked three more times before the page shows an error, one that answers that it is not ready once: with
 * a silent database each such answer takes ten seconds, and nobody should look at an empty page for a minute.
 */
export const shouldRetry = (failures: number, error: unknown): boolean => isTransient(error) && failures < (error.status === 0 ? 3 : 1);

const pausesMs = [2000, 3000, 5000, 10_000, 30_000];
const isOk = (path: string) =>
  fetch(path, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Pages and their code are served, whatever the state of the database. */
export const isServed = () => isOk('/ping');
/** Data can be read. */
const isReady = () => isOk('/readyz?only=database');
const hasFailed = ({ state }: Query) => state.status === 'error' && isTransient(state.error);

/**
 * Reads again by itself what a page could not read while the server was away. The error stays on the screen until the server answers; the
 * pauses grow while reading fails.
 */
export function refetchWhenServed(client: QueryClient, canBeRead: () => Promise<boolean> = isReady): void {
  const cache = client.getQueryCache();
  let isWaiting = false;
  let attempt = 0;

  const tryAgain = async () => {
    isWaiting = false;
    const failed = cache.findAll({ type: 'active', predicate: hasFailed });
    if (failed.length === 0) {
      attempt = 0;
      return;
    }
    if (await canBeRead()) await client.refetchQueries({ type: 'active', predicate: hasFailed });
    wait();
  };
  const wait = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => void tryAgain(), pausesMs[Math.min(attempt++, pausesMs.length - 1)]);
  };
  cache.subscribe(({ type, query }) => {
    if (type === 'updated' && hasFailed(query)) wait();
  });
}
