import { inject } from 'vitest';

/** Journeys that run at the same time never meet: each place of the runner has a console of its own. */
export const atOnce = 2;

export interface SharedConsole {
  url: string;
  pid: number;
  admin: { name: string; email: string; password: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    consoles: SharedConsole[];
  }
}

export function sharedConsole(): SharedConsole {
  const consoles = inject('consoles');
  const place = Number(process.env.VITEST_POOL_ID ?? 1) - 1;
  const shared = consoles[place % consoles.length];
  if (!shared) throw new Error('No console was started for the journeys.');
  return shared;
}
