import { setImmediate } from 'node:timers/promises';
import type { Steps } from '@telltale/domain/steps.ts';

/** The longest time that other work waits for its turn. */
const turnMs = 10;
/** Shorter texts take a few milliseconds, so they are handled at once. */
const shortLength = 50_000;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs long work on a text with pauses for all other work. Long texts are done one after the other: each takes some hundred times the
 * memory of its text, and together they would exhaust the process.
 */
export async function inSteps<T>(length: number, start: () => Steps<T>): Promise<T> {
  if (length <= shortLength) return inTurns(start());
  const before = last;
  const mine = Promise.withResolvers<void>();
  last = mine.promise;
  await before;
  try {
    return await inTurns(start());
  } finally {
    mine.resolve();
  }
}

async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < turnMs) continue;
    await setImmediate();
    since = performance.now();
  }
}
