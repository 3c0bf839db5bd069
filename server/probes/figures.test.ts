import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { metrics } from '../platform/http/metrics.ts';
import { noteRun } from '../results/run-figures.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const figures = async () => (await app.anonymous().fetch('/metrics')).text();

// What other files have counted in this process.
metrics.resetMetrics();

test('issue 19: runs by outcome and seconds, queues, sign-ins, sockets and the size of the database', async () => {
  for (const [outcome, seconds] of [
    ['done', 0.02],
    ['done', 0.3],
    ['failed', 4000],
  ] as const)
    noteRun(app.ctx, outcome, seconds);
  await app.anonymous().signIn('nobody@example.com', 'wrong');
  await expect.poll(figures).toContain('telltale_queries_total{outcome="failed"} 1');
  const text = await figures();
  expect(text).toContain('telltale_queries_total{outcome="done"} 2');
  expect(text).toContain('telltale_query_seconds_bucket{le="0.05",outcome="done"} 1');
  expect(text).toContain('telltale_query_seconds_bucket{le="0.5",outcome="done"} 2');
  expect(text).toContain('telltale_query_seconds_bucket{le="1800",outcome="failed"} 0');
  expect(text).toContain('telltale_query_seconds_count{outcome="failed"} 1');
  expect(text).toContain('telltale_queue_length{queue="queries",state="waiting"} 0');
  expect(text).toContain('telltale_sign_in_failures_total 1');
  expect(text).toContain('telltale_live_connections 0');
  expect(Number(/^telltale_database_bytes (\S+)/m.exec(text)?.[1])).toBeGreaterThan(1_000_000);
});

test.skipIf(spawnSync('promtool', ['--version']).error !== undefined)('promtool finds nothing to complain about', async () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await figures(), encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('every figure of the Grafana dashboard is one that is there', async () => {
  const dashboard = readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
  const text = await figures();
  for (const name of new Set(dashboard.match(/telltale_[a-z_]+/g))) expect(text, name).toContain(name);
});
