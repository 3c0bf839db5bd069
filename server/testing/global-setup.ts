import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureBundle } from '../start/bundle.ts';
import { startTestPostgres, type TestPostgres } from './postgres.ts';
import { summary } from './row-types/summary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { url: string; superuserUrl: string };
    /** Where each process notes which statements it has executed. */
    executedFolder: string;
  }
}

/** Each project has modules of its own, so what they share is kept here. */
const shared = globalThis as { telltaleTestPostgres?: { started: Promise<TestPostgres>; users: number } | undefined };

/** The one server of this run; the last project that leaves it stops it. */
async function joinPostgres(): Promise<TestPostgres> {
  shared.telltaleTestPostgres ??= { started: startTestPostgres(), users: 0 };
  const server = shared.telltaleTestPostgres;
  server.users++;
  const postgres = await server.started;
  return {
    ...postgres,
    async stop() {
      if (--server.users > 0) return;
      shared.telltaleTestPostgres = undefined;
      await postgres.stop();
    },
  };
}

/**
 * One PostgreSQL for the whole run; each test file works on its own clone of the migrated database. Consoles and
 * executors that tests start run from a bundle, like those of every start but the first.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, bundle] = await Promise.all([joinPostgres(), ensureBundle()]);
  if (!project.vitest.config.watch) process.env.TELLTALE_BUNDLE = bundle; // inherited by the processes of tests, which start executors
  const executedFolder = mkdtempSync(join(tmpdir(), 'telltale-statements-'));
  project.provide('postgres', { url: postgres.url, superuserUrl: postgres.superuserUrl });
  project.provide('executedFolder', executedFolder);
  return async () => {
    // A run of some files alone says nothing about statements that are never executed.
    const { testFiles } = await project.globTestFiles();
    const isWhole =
      project.name === 'server' && project.vitest.state.getPaths().filter((path) => testFiles.includes(path)).length === testFiles.length;
    if (isWhole) console.log(summary(executedFolder));
    rmSync(executedFolder, { recursive: true, force: true });
    await postgres.stop();
  };
}
