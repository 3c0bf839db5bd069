import type { Page } from 'playwright-core';
import { freePort } from '../../server/start/ports.ts';
import { launchBrowser } from '../../tests/e2e/support/browser.ts';
import { type Case, type Figure, median, percentile } from '../report.ts';
import { account, signIn, startServer, withDataFolder } from '../server.ts';

const lineCount = 2000;
const rowCount = 1_000_000;
/** Comments with words in them, as people leave them, and a million rows below. */
const longText = [
  ...Array.from({ length: lineCount - 2 }, (_, at) => `-- line ${at}: coalesce(reading_${at}, average_${at % 50}) as "value ${at}"`),
  `select i as id, 'device-' || i % 1000 as device, timestamp '2026-01-01' + i * interval '1 second' as time, {{ n }} as n`,
  `from generate_series(1, ${rowCount}) i`,
].join('\n');
const shortText = 'select 1 as one';

/** What a key costs until it is painted, and the longest time in which the page answers to nothing, while somebody types. */
export const editorCase: Case = {
  name: 'editor',
  run: () =>
    withDataFolder(async (dataFolder) => {
      const server = await startServer(dataFolder, await freePort());
      const browser = await launchBrowser();
      try {
        const key = await signIn(server.url);
        const page = await (await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })).newPage();
        await page.request.post('/login', { data: account });
        const alone = await measure(page, await makeQuery(server.url, key, shortText), 1);
        const full = await measure(page, await makeQuery(server.url, key, longText), rowCount);
        return figures(alone, full);
      } finally {
        await browser.close();
        await server.stop();
      }
    }),
};

async function makeQuery(url: string, key: string, query: string): Promise<number> {
  const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' };
  const sources = (await (await fetch(`${url}/api/data_sources`, { headers })).json()) as { id: number }[];
  const options = { parameters: [{ name: 'n', type: 'number', value: 1 }] };
  const body = JSON.stringify({ name: 'Typing', query, data_source_id: sources[0]?.id, options });
  return ((await (await fetch(`${url}/api/queries`, { method: 'POST', headers, body })).json()) as { id: number }).id;
}

interface Typing {
  keys: number[];
  tasks: number[];
}

/** In the page: from the key to the frame that shows it, and every task above 50 ms. */
const watch = `
  window.typing = { keys: [], tasks: [] };
  addEventListener('keydown', (event) => {
    const at = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() => window.typing.keys.push(performance.now() - at)));
  }, true);
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.typing.tasks.push(task.duration);
  }).observe({ entryTypes: ['longtask'] });`;

async function measure(page: Page, id: number, rows: number): Promise<Typing> {
  await page.goto(`/queries/${id}/source`);
  await page.locator('.cm-content').waitFor();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByText(rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`, { exact: true }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(2000);
  await page.locator('.cm-content').click({ position: { x: 200, y: 60 } });
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(1000);
  await page.evaluate(watch);
  // As quick as people are; and slowly, so that the page follows after each key.
  for (const character of 'coalesce(average, reading) as value -- ') await page.keyboard.type(character, { delay: 60 });
  for (const character of 'select average, {{ n }} ') {
    await page.keyboard.type(character);
    await page.waitForTimeout(180);
  }
  await page.waitForTimeout(500);
  return page.evaluate<Typing>('window.typing');
}

function figures(alone: Typing, full: Typing): Figure[] {
  const of = (what: string, read: (typing: Typing) => number): Figure => ({
    what: `${what}, ${lineCount} lines and ${rowCount.toLocaleString('en')} rows`,
    value: read(full),
    unit: 'ms',
    reference: { what: 'one line, one row', value: read(alone) },
    goal: '< 50 ms',
    isMet: read(full) < 50,
  });
  return [
    of('a key until it is painted (p50)', ({ keys }) => median(keys)),
    of('a key until it is painted (p99)', ({ keys }) => percentile(keys, 0.99)),
    of('longest task while typing', ({ tasks }) => Math.max(0, ...tasks)),
  ];
}
