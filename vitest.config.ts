import { defineConfig } from 'vitest/config';
import { rowTypes } from './server/testing/row-types/plugin.ts';
import { missingBrowser } from './tests/e2e/support/browser.ts';

/**
 * These limits only end a test that hangs. They do not measure speed: a shared machine may give a test a tenth of a processor for a minute,
 * so a limit near the usual duration would fail by chance.
 */
const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000, interval: 25 } } };

/** Where there is no browser, scripts/test.ts names what is left out. */
const journeys = {
  test: {
    name: 'browser',
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: ['tests/e2e/support/global-setup.ts'],
    ...limits,
    sequence: { groupOrder: 1 },
  },
};

/** Three kinds of tests, one command: pure rules, the server on a real database, journeys in a real browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'rules',
          include: ['domain/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          environment: 'node',
          ...limits,
        },
      },
      {
        plugins: [rowTypes()],
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          setupFiles: ['server/testing/row-types/setup.ts'],
          ...limits,
        },
      },
      ...(missingBrowser ? [] : [journeys]),
    ],
  },
});
