import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { artifacts } from './console.ts';
import { type Faults, watchFaults } from './faults.ts';
import { fileConsole } from './file-console.ts';
import { comeToRest } from './screen.ts';
import { until } from './until.ts';

const screens = join(artifacts, 'screens');
/** Pictures for people take a fifth of the time of the journeys. */
const arePicturesTaken = Boolean(process.env.TELLTALE_SCREENS);
/** The machine may be busy; whatever takes longer than this does not come. */
const timeoutMs = 60_000;

export interface Account {
  email: string;
  password: string;
}

export interface VisitOptions {
  /** Signed in from the start. */
  as?: Account;
  /** The console to visit, that of the file unless given. */
  url?: string;
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  browser?: BrowserContextOptions;
}

/** Somebody at a browser of their own. */
interface Visit {
  page: Page;
  context: BrowserContext;
  faults: Faults;
  /** Waits until the page rests. With TELLTALE_SCREENS=1 it takes a picture for people: artifacts/screens/<journey>-<step>-<width>-<theme>.png. */
  shot(step: string, page?: Page): Promise<void>;
  /** The same picture, whatever the setting. */
  photograph(step: string, page?: Page): Promise<void>;
}

export interface Journey extends Visit {
  /** Another browser, watched like the first one. */
  visit(options?: VisitOptions): Promise<Visit>;
}

/** One browser for all files of a process; it ends with the process. Each visit has a context of its own. */
let launched: Promise<Browser> | undefined;

/** A test in a real browser. It also fails by what nobody looked for: see Faults. */
export function journey(name: string, run: (journey: Journey) => Promise<void>, options: VisitOptions = {}): () => Promise<void> {
  return async () => {
    launched ??= launchBrowser();
    const browser = await launched;
    const visits: Visit[] = [];
    const visit = async (more: VisitOptions = {}) => {
      const opened = await openVisit(browser, name, { url: options.url, ...more });
      visits.push(opened);
      return opened;
    };
    try {
      await run({ ...(await visit(options)), visit });
      expect(visits.flatMap(({ faults }) => faults.list())).toEqual([]);
    } catch (error) {
      await Promise.all(visits.map((one, at) => one.photograph(`failed-${at}`).catch(() => {})));
      const seen = visits.flatMap(({ faults }) => faults.list());
      if (error instanceof Error && seen.length > 0) error.message += `\nSeen on the way: ${seen.join('\n')}`;
      throw error;
    } finally {
      await Promise.all(visits.map(({ context }) => context.close()));
    }
  };
}

async function openVisit(browser: Browser, name: string, options: VisitOptions): Promise<Visit> {
  const { as, url = (await fileConsole()).url, width = 1440, height = 900, theme = 'light' } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // A click aimed at something that still moves can land beside it; journeys about motion itself ask for it.
    reducedMotion: 'reduce',
    ...options.browser,
  });
  context.setDefaultTimeout(timeoutMs);
  const faults = await watchFaults(context);
  if (as) await signIn(context, as);
  const page = await context.newPage();
  awaitRouting(page, page);
  awaitRouting(context, page);
  await slowDown(context, page);

  const photograph = async (step: string, shown = page) => {
    await mkdir(screens, { recursive: true });
    await comeToRest(shown);
    const width = shown.viewportSize()?.width ?? 0;
    const look = (await shown.evaluate<string | undefined>('document.documentElement.dataset.theme')) ?? theme;
    await shown.screenshot({ path: join(screens, `${name}-${step}-${width}-${look}.png`), animations: 'disabled' });
  };
  const shot = async (step: string, shown = page) => void (await (arePicturesTaken ? photograph(step, shown) : comeToRest(shown)));
  return { page, context, faults, shot, photograph };
}

const probe = '/ping?intercepted';

/**
 * Lets `route` resolve only when the page's requests are intercepted. The browser answers earlier: a busy page still sends its next requests
 * past the interception, to the real server.
 */
function awaitRouting(target: Page | BrowserContext, page: Page): void {
  const route = target.route.bind(target);
  target.route = async (...given) => {
    await route(`**${probe}`, (asked) => asked.fulfill({ body: 'intercepted' }));
    const routed = await route(...given);
    const isOn = () => page.evaluate<boolean>(`fetch('${probe}').then((answer) => answer.text()).then((text) => text === 'intercepted')`);
    if (page.url().startsWith('http')) await until('requests are intercepted', timeoutMs, isOn);
    return routed;
  };
}

/**
 * TELLTALE_TEST_SLOWDOWN=8 gives pages an eighth of the processor, and lets each answer of the API come up to 400 ms late. Journeys that depend
 * on speed fail then every time, instead of once in a hundred runs.
 */
async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const rate = Number(process.env.TELLTALE_TEST_SLOWDOWN ?? 1);
  if (rate <= 1) return;
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await context.route('**/api/**', async (route) => {
    await delay(Math.random() * 400);
    await route.fallback();
  });
}

/** Without the page: the sign-in has a journey of its own. */
async function signIn(context: BrowserContext, { email, password }: Account): Promise<void> {
  const reply = await context.request.post('/login', { data: { email, password, remember: true } });
  if (!reply.ok()) throw new Error(`${email} could not sign in: ${await reply.text()}`);
}
