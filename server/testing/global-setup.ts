import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { url: string; superuserUrl: string };
  }
}

/** One PostgreSQL for the whole run; each test file works on its own clone of the migrated database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  project.provide('postgres', { url: postgres.url, superuserUrl: postgres.superuserUrl });
  return () => postgres.stop();
}
