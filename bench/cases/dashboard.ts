import type { Browser, Page, Response } from 'playwright-core';
import { freePort } from '../../server/start/ports.ts';
import { launchBrowser } from '../../tests/e2e/support/browser.ts';
import { type Case, type Figure, median } from '../report.ts';
import { account, signIn, startServer, withDataFolder } from '../server.ts';

const widgetCount = 40;
const queryCount = 8;
/** A widget has its data. */
const drawn = 'main article :is(tbody td, canvas)';

/** Many widgets on few queries: what a visit asks for, when the first of them is there, and whether anything jumps. */
export const dashboardCase: Case = {
  name: 'dashboard',
  run: () =>
    withDataFolder(async (dataFolder) => {
      const server = await startServer(dataFolder, await freePort());
      const browser = await launchBrowser();
      try {
        const address = await makeDashboard(server.url);
        const cold = await visit(browser, server.url, address, '/dashboards');
        await arrange(browser, server.url, address);
        const stranger = await visit(browser, server.url, address, '/dashboards');
        const warm = [];
        for (let i = 0; i < 5; i++) warm.push(await visit(browser, server.url, address, address));
        return figures(cold, stranger, warm);
      } finally {
        await browser.close();
        await server.stop();
      }
    }),
};

/** On the built-in source, which is always there; what it reads is made by the statement itself. */
async function makeDashboard(url: string): Promise<string> {
  const key = await signIn(url);
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Key ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const sources = await call<{ id: number; type: string }[]>('GET', '/api/data_sources');
  const data_source_id = sources.find(({ type }) => type === 'telltale')?.id;
  const { id: dashboard_id, url: address } = await call<{ id: number; url: string }>('POST', '/api/dashboards', { name: 'Forty widgets' });
  const kinds: { type: string; name: string; options: object }[] = [
    { type: 'TABLE', name: 'Rows', options: {} },
    { type: 'CHART', name: 'Line', options: { globalSeriesType: 'line', columnMapping: { time: 'x', value: 'y', device: 'series' } } },
    { type: 'CHART', name: 'Bars', options: { globalSeriesType: 'column', columnMapping: { device: 'x', value: 'y' } } },
    { type: 'COUNTER', name: 'Number', options: { counterColName: 'value', rowNumber: 1, targetRowNumber: 1 } },
    { type: 'TABLE', name: 'More rows', options: {} },
  ];
  for (let n = 0; n < queryCount; n++) {
    const query = `select timestamptz '2026-01-01' + i * interval '1 minute' as time, 'device-' || i % 4 as device,
      round((20 + 5 * sin(i / ${10 + n}.0))::numeric, 2)::float8 as value from generate_series(1, 500) i order by i`;
    const { id: query_id } = await call<{ id: number }>('POST', '/api/queries', { name: `Readings ${n + 1}`, query, data_source_id });
    for (const [i, kind] of kinds.entries()) {
      const { id: visualization_id } = await call<{ id: number }>('POST', '/api/visualizations', { query_id, ...kind });
      const place = n * kinds.length + i;
      const position = { col: (place % 2) * 3, row: Math.floor(place / 2) * 8, sizeX: 3, sizeY: 8, autoHeight: kind.type === 'TABLE' };
      await call('POST', '/api/widgets', { dashboard_id, visualization_id, options: { position } });
    }
  }
  return address;
}

/** As the person who made it: tables fit their content, and how high that is, is kept with Done Editing. */
async function arrange(browser: Browser, url: string, address: string): Promise<void> {
  await signedIn(browser, url, async (page) => {
    await page.goto(`${url}${address}?edit`);
    await page.locator(drawn).first().waitFor();
    await scrollThrough(page);
    await page.getByRole('button', { name: 'Done Editing' }).click();
    await page.getByRole('button', { name: 'More actions' }).waitFor();
  });
}

interface Seen {
  dashboardRequests: number;
  /** How often something ran, whoever waited for it; what is stored costs nothing. */
  executions: number;
  resultRequests: number;
  /** The list of dashboards on the same page just before, to hold the next one against. */
  list: Opened;
  first: Opened;
  layoutShift: number;
}

interface Opened {
  ms: number;
  /** Of the page's own thread, which a busy machine does not change much. */
  workMs: number;
}

const visit = (browser: Browser, url: string, address: string, before: string): Promise<Seen> =>
  signedIn(browser, url, async (page) => {
    // The console's own code is in the browser, as on any second visit.
    await page.goto(`${url}${before}`);
    await page.waitForLoadState('networkidle');
    return watch(page, url, address);
  });

async function signedIn<T>(browser: Browser, url: string, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(`${url}/login?next=/api/docs`);
    await page.fill('[name=email]', account.email);
    await page.fill('[name=password]', account.password);
    await page.click('button[type=submit]');
    await page.waitForURL('**/api/docs');
    return await work(page);
  } finally {
    await context.close();
  }
}

async function watch(page: Page, url: string, address: string): Promise<Seen> {
  const asked: string[] = [];
  const jobs: Promise<string | undefined>[] = [];
  const list = await open(page, `${url}/dashboards`, 'main tbody td');
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    asked.push(pathname);
    if (/^\/api\/queries\/\d+\/results$/.test(pathname) && response.request().method() === 'POST') jobs.push(jobOf(response));
  });
  await page.addInitScript(`
    globalThis.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.layoutShift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  const first = await open(page, `${url}${address}`, drawn);
  await scrollThrough(page);
  const layoutShift = await page.evaluate<number>('globalThis.layoutShift');
  const started = new Set((await Promise.all(jobs)).filter((id) => id !== undefined));
  return {
    dashboardRequests: asked.filter((path) => /^\/api\/dashboards\/\d+$/.test(path)).length,
    executions: started.size,
    resultRequests: asked.filter((path) => /^\/api\/(queries\/\d+\/results|query_results\/\d+)/.test(path)).length,
    list,
    first,
    layoutShift,
  };
}

async function open(page: Page, url: string, selector: string): Promise<Opened> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const work = async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  await page.goto('about:blank');
  const before = await work();
  await page.goto(url, { waitUntil: 'commit' });
  const ms = await page.evaluate<number>(shownAt(selector));
  const workMs = ((await work()) - before) * 1000;
  await devtools.detach();
  return { ms, workMs };
}

/** Told by the page itself, from the start of the navigation to the frame that shows it: who asks from outside waits for its other work, too. */
const shownAt = (selector: string): string => `new Promise((resolve) => {
  const look = () =>
    document.querySelector(${JSON.stringify(selector)}) !== null && requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document, { childList: true, subtree: true });
})`;

/** Only what had to run has a job. */
const jobOf = async (response: Response): Promise<string | undefined> => ((await response.json()) as { job?: { id?: string } }).job?.id;

/** Widgets run when they come into view, so all of them have to. */
async function scrollThrough(page: Page): Promise<void> {
  const steps = 30;
  for (let step = 1; step <= steps; step++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(100);
  }
  await page.waitForLoadState('networkidle');
}

function figures(cold: Seen, stranger: Seen, warm: Seen[]): Figure[] {
  const typical = (of: (seen: Seen) => number) => median(warm.map(of));
  const first = typical((seen) => seen.first.ms);
  const shift = Math.max(...[stranger, ...warm].map(({ layoutShift }) => layoutShift));
  const exactly = (what: string, value: number, goal: number): Figure => ({
    what,
    value,
    unit: '',
    goal: String(goal),
    isMet: value === goal,
  });
  return [
    exactly(`requests for a dashboard of ${widgetCount} widgets`, cold.dashboardRequests, 1),
    exactly(`executions of its ${queryCount} queries, none of which had run`, cold.executions, queryCount),
    {
      what: 'requests for their results',
      value: cold.resultRequests,
      unit: '',
      goal: `≤ ${2 * queryCount}, to ask and to fetch`,
      isMet: cold.resultRequests <= 2 * queryCount,
    },
    {
      what: 'first widget drawn, results stored',
      value: first,
      unit: 'ms',
      reference: { what: 'the list of dashboards', value: typical((seen) => seen.list.ms) },
      goal: '≤ 1000 ms',
      isMet: first <= 1000,
    },
    {
      what: 'work of the page until then',
      value: typical((seen) => seen.first.workMs),
      unit: 'ms',
      reference: { what: 'the list of dashboards', value: typical((seen) => seen.list.workMs) },
      goal: '–',
      isMet: true,
    },
    { what: 'layout shift from opening to the last widget', value: shift, unit: '', goal: '< 0.05', isMet: shift < 0.05 },
  ];
}
