import { defineConfig } from 'vitest/config';
import { rowTypes } from './server/testing/row-types/plugin.ts';
import { missingBrowser } from './tests/e2e/support/browser.ts';
import { InOrder, kills, memory } from './tests/order.ts';

/**
 * These limits only end a test that hangs. They do not measure speed: a shared machine may give a test a tenth of a processor for a minute,
 * so a limit near the usual duration would fail by chance.
 */
const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000, interval: 25 } } };

const onDatabase = {
  globalSetup: ['server/testing/global-setup.ts'],
  setupFiles: ['server/testing/row-types/setup.ts'],
  ...limits,
};

/** After all others, two at a time. */
const last = { maxWorkers: 2, sequence: { groupOrder: 1 } };

/** Where there is no browser, scripts/test.ts names what is left out. */
const journeys = {
  test: {
    name: 'browser',
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: ['tests/e2e/support/global-setup.ts'],
    setupFiles: ['tests/e2e/support/each-file.ts'],
    // Files share the browser and what their process has loaded, never a console.
    isolate: false,
    ...limits,
  },
};

/** Kinds of tests, one command: pure rules, the server on a real database, those that need a quiet machine (kills, memory), journeys in a real browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    // More than the usual two cores: tests of the server and journeys wait for something a sixth of their time.
    maxWorkers: 3,
    sequence: { sequencer: InOrder },
    projects: [
      {
        test: {
          name: 'rules',
          include: ['domain/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          environment: 'node',
          // Pure functions keep nothing between files: loading their modules once halves the time.
          isolate: false,
          ...limits,
        },
      },
      {
        plugins: [rowTypes()],
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: [...kills, ...memory],
          ...onDatabase,
          // Files share what their process has loaded: loading the server for each of them took a quarter of the time. What the server keeps
          // between requests therefore belongs to the configuration or the database of one installation, never to the module.
          isolate: false,
        },
      },
      {
        plugins: [rowTypes()],
        test: { name: 'kills', include: kills, ...onDatabase, ...last, isolate: false },
      },
      {
        plugins: [rowTypes()],
        test: { name: 'memory', include: memory, ...onDatabase, ...last },
      },
      ...(missingBrowser ? [] : [journeys]),
    ],
  },
});
