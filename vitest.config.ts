import { defineConfig } from 'vitest/config';

/** How long what is waited for may take on a machine that is busy with other things; mostly it is there at the first look. */
const patience = { poll: { timeout: 20_000, interval: 25 } };

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
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 120_000,
          expect: patience,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/support/global-setup.ts'],
          testTimeout: 120_000,
          expect: patience,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
