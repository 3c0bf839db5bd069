import { expect, inject } from 'vitest';
import { type RunningConsole, startConsole } from './console.ts';

export { firstAdmin } from './console.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of a console that was set up with `firstAdmin` and stopped. */
    preparedData: string;
  }
}

let started: Promise<RunningConsole> | undefined;

/** A console for the journeys of this file alone: none of them meets what another file has left. */
export function fileConsole(): Promise<RunningConsole> {
  const name = expect.getState().testPath?.match(/([^\\/]+)\.test\.ts$/)?.[1] ?? 'journeys';
  started ??= startPrepared(name);
  return started;
}

/** Called after the last test of each file (each-file.ts): the next file, which shares this module, starts a console of its own. */
export async function stopFileConsole(): Promise<void> {
  const running = started;
  started = undefined;
  await (await running)?.stop();
}

/** A console that `firstAdmin` has set up, with settings of its own: a copy of a prepared one starts in a fraction of the time. */
export const startPrepared = (name: string, settings: Record<string, string> = {}): Promise<RunningConsole> =>
  startConsole(name, settings, inject('preparedData'));
