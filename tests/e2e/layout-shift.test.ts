import { setTimeout as delay } from 'node:timers/promises';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeDashboard, makePicture, makeQuery, makeWidget, shareUntil } from './support/dashboards.ts';
import { journey } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';

const widths = [1440, 390] as const;
const most = 0.1;
/** Of one answer after the other; neighbours differ by several frames. */
const pausesMs = [240, 120, 0, 180, 60];
/** Counts what moved without anybody having pressed a key, from the first frame on, and names it. */
const watch = `globalThis.shifted = 0; globalThis.moved = []; new PerformanceObserver((list) => {
  const nameOf = ({ node, previousRect: a, currentRect: b }) => {
    const of = node?.nodeType === 3 ? node.parentElement : node;
    return (of?.localName ?? '?') + '.' + (of?.className ?? '') + ' ' + [a, b].map((r) => [r.x, r.y, r.width, r.height].map(Math.round)).join(' to ');
  };
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    globalThis.shifted += entry.value;
    globalThis.moved.push(entry.value.toFixed(3) + ': ' + entry.sources.map(nameOf).join(' | '));
  }
}).observe({ type: 'layout-shift', buffered: true });`;

/** Answers come in an order of their own, as over a slow line: a page must not rely on the usual one. */
async function answerOutOfOrder(page: Page): Promise<void> {
  let count = 0;
  await page.route('**/api/**', async (route) => {
    await delay(pausesMs[count++ % pausesMs.length] ?? 0);
    await route.continue().catch(() => {});
  });
}

/** Of everything that a page can show, one. */
async function makeContent() {
  const client = await adminClient();
  const { channel_id } = await client.get(channelsApi.create, { body: { channel_id: 'still-shed', channel_name: 'Still shed' } });
  for (const n of [1, 2, 3])
    await client.get(devicesApi.create, {
      params: { id: channel_id },
      body: { device_id: `still-${n}`, device_name: `Still sensor ${n}` },
    });
  const query = await makeQuery('Still stations');
  const chart = await makePicture(query.id, 'CHART', 'By city', { globalSeriesType: 'column', columnMapping: { city: 'x', temp: 'y' } });
  const board = await makeDashboard('Still board');
  await makeWidget(board.id, 'A text of *one* line.', { col: 0, row: 0, sizeX: 6, sizeY: 2 });
  await makeWidget(board.id, chart, { col: 0, row: 2, sizeX: 3, sizeY: 7 });
  await makeWidget(board.id, query.table, { col: 3, row: 2, sizeX: 3, sizeY: 7 });
  const shared = await shareUntil(board.id, new Date(Date.now() + 3_600_000));
  return { channel: `/mqtt/${channel_id}`, query: `/queries/${query.id}`, board: board.url, shared: new URL(shared).pathname };
}

type Content = Awaited<ReturnType<typeof makeContent>>;

const areas: Record<string, (content: Content) => string[]> = {
  'home and dashboards': ({ board, shared }) => ['/', '/dashboards', board, shared],
  queries: ({ query }) => ['/queries', query, `${query}/source`],
  devices: ({ channel }) => ['/mqtt', channel, `${channel}/devices/still-1`, '/console/channels'],
  'alerts and commands': () => ['/alerts', '/commands'],
  administration: () => ['/data_sources', '/users', '/users/me', '/groups', '/settings/general'],
};

let content: Content;
beforeAll(async () => {
  content = await makeContent();
});

describe.each(widths)('issue 20: nothing on a page moves by itself while it loads, at %i px', (width) => {
  test.each(Object.keys(areas))('%s', (area) =>
    journey(
      'layout-shift',
      async ({ page }) => {
        await page.addInitScript(watch);
        await answerOutOfOrder(page);
        const faults: string[] = [];
        for (const path of areas[area]?.(content) ?? []) {
          await page.goto(path);
          await page.waitForLoadState('networkidle');
          const shift = await page.evaluate<number>('shifted');
          if (shift >= most) faults.push(`${path}: ${shift.toFixed(3)}\n${(await page.evaluate<string[]>('moved')).join('\n')}`);
        }
        expect(faults).toEqual([]);
      },
      { as: admin(), width, height: width > 800 ? 900 : 844 },
    )(),
  );
});
