import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../platform/log.ts';
import { quickest } from '../testing/until.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { shownDatabase, waitForExternalPostgres } from './external-postgres.ts';
import { temporaryFolder } from './testing.ts';

const log = createLogger('silent');

test('a database that cannot be reached is named without its password', async () => {
  const url = 'postgres://me:hidden@127.0.0.1:9/console';
  const fault = await waitForExternalPostgres(url, log, 100).catch((error: Error) => error.message);
  expect(fault).toBe('The database at 127.0.0.1:9/console cannot be used: connect ECONNREFUSED 127.0.0.1:9. Check DATABASE_URL.');
});

test('a database that says no is not waited for, one that answers is taken', async () => {
  const server = await startEmbeddedPostgres({ dataFolder: join(await temporaryFolder(), 'data'), durable: false });
  onTestFinished(() => server.stop());
  await waitForExternalPostgres(server.url, log);
  const took = await quickest(5000, async () => async () => {
    await expect(waitForExternalPostgres(server.url.replace(/:[^:@]+@/, ':wrong@'), log)).rejects.toThrow('password authentication failed');
    await expect(waitForExternalPostgres(server.superuserUrl.replace(/[^/]+$/, 'none'), log)).rejects.toThrow('does not exist');
  });
  expect(took).toBeLessThan(5000);
});

test('an address is shown without credentials', () => {
  expect(shownDatabase('postgres://me:secret@db.example:6000/console?sslmode=require')).toBe('db.example:6000/console');
  expect(shownDatabase('postgres:///console?host=/run/postgresql')).toBe('/run/postgresql/console');
});
