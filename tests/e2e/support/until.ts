import { setTimeout as sleep } from 'node:timers/promises';

/** What `find` answers as soon as it answers something; in vain, an error that says what was waited for. */
export async function until<T>(what: string, timeoutMs: number, find: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await sleep(50);
  }
}
