import { expect, test } from 'vitest';
import { runChaos } from '../testing/chaos.ts';

test('iot-behaviour 1.9: kill -9 of ingest and of PostgreSQL: what was acknowledged is stored, exactly once', async () => {
  const seen = await runChaos({ senders: 20, messages: 150, pauseMs: 10, roles: ['ingest'], victims: ['ingest', 'postgres'], kills: 3 });
  expect(seen).toMatchObject({ kills: 3, acknowledged: seen.sent, uplinks: seen.sent, distinct: seen.sent, outOfOrder: 0 });
  const { received, stored, duplicate, rejected } = seen.figures;
  expect([stored, rejected]).toEqual([seen.uplinks, {}]);
  expect(received).toBe(stored + duplicate);
});
