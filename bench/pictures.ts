import type { Browser, Page } from 'playwright-core';
import { startGallery } from '../tests/e2e/support/gallery.ts';
import { until } from '../tests/e2e/support/until.ts';
import type { Figure } from './report.ts';

/** What somebody meets: it appears, and is moved about in. */
interface Scene {
  /** Of the gallery. */
  address: string;
  /** There when it is drawn. */
  drawn: string;
  what: string;
  doing: string;
  act(page: Page): Promise<void>;
}

const scenes: Scene[] = [
  { address: 'chart/million', drawn: 'canvas', what: 'a line of 1 M points', doing: 'zooming and panning', act: zoomAbout },
  { address: 'table/million', drawn: '[role=row] [role=cell], td', what: 'a table of 1 M rows', doing: 'scrolling', act: scrollAbout },
];

/** Runs in the page: when the result was there, when its picture was painted, and every task that held up the page. */
const watch = (drawn: string) => `
  window.longTasks = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasks.push(duration); }).observe({ type: 'longtask' });
  new MutationObserver(() => {
    if (!window.arrivedAt && document.querySelector('[data-case]')) window.arrivedAt = performance.now();
    if (window.paintedAt || !document.querySelector(${JSON.stringify(drawn)})) return;
    window.paintedAt = 1;
    requestAnimationFrame(() => setTimeout(() => { window.paintedAt = performance.now(); }));
  }).observe(document, { subtree: true, childList: true });
`;

/** A million rows, drawn. */
export async function pictureFigures(browser: Browser): Promise<Figure[]> {
  const gallery = await startGallery();
  try {
    const figures: Figure[] = [];
    for (const scene of scenes) figures.push(...(await figuresOf(browser, gallery.url, scene)));
    return figures;
  } finally {
    await gallery.stop();
  }
}

async function figuresOf(browser: Browser, url: string, { address, drawn, what, doing, act }: Scene): Promise<Figure[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.addInitScript(watch(drawn));
    await page.goto(`${url}?bare#none`);
    await page.evaluate(`location.hash = '#${address}'`);
    await until('it is painted', 120_000, () => page.evaluate<boolean>('window.paintedAt > 1'));
    const paintMs = await page.evaluate<number>('paintedAt - arrivedAt');
    // Whatever the first drawing has left to do.
    await page.waitForTimeout(1000);
    await page.evaluate('longTasks.length = 0');
    await act(page);
    const longest = await page.evaluate<number>('Math.max(0, ...longTasks)');
    const heap = await heapMb(page);
    return [
      { what: `${what}, from result to paint`, value: paintMs, unit: 'ms', goal: '≤ 1500 ms', isMet: paintMs <= 1500 },
      {
        what: `${what}, longest task while ${doing} (0: none above 50)`,
        value: longest,
        unit: 'ms',
        goal: '≤ 100 ms',
        isMet: longest <= 100,
      },
      { what: `${what}, heap of the page, rows included`, value: heap, unit: 'MB', goal: '≤ 500 MB', isMet: heap <= 500 },
    ];
  } finally {
    await page.close();
  }
}

async function zoomAbout(page: Page): Promise<void> {
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) throw new Error('There is no chart.');
  const to = (x: number) => page.mouse.move(box.x + box.width * x, box.y + box.height / 2);
  for (let times = 0; times < 3; times++) {
    await to(0.3);
    await page.mouse.down();
    for (let step = 1; step <= 10; step++) await to(0.3 + step * 0.04);
    await page.mouse.up();
  }
  await page.keyboard.down('Shift');
  await to(0.7);
  await page.mouse.down();
  for (let step = 1; step <= 30; step++) await to(0.7 - step * 0.015);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.keyboard.down('Control');
  for (let step = 0; step < 30; step++) await page.mouse.wheel(0, step < 15 ? -80 : 120);
  await page.keyboard.up('Control');
  await page.waitForTimeout(500);
}

/** By the wheel, and with the bar to the middle and the end. */
async function scrollAbout(page: Page): Promise<void> {
  const box = await page.locator('[data-case]').first().boundingBox();
  if (!box) throw new Error('There is no table.');
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height, 600) / 2);
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 400);
  for (const place of [0.5, 1, 0.25, 0]) {
    await page.evaluate(`for (const part of document.querySelectorAll('[data-case] *')) {
      if (part.scrollHeight > 4 * part.clientHeight && part.clientHeight > 100) part.scrollTop = part.scrollHeight * ${place};
    }`);
    await page.waitForTimeout(200);
    for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 300);
  }
  await page.waitForTimeout(500);
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
