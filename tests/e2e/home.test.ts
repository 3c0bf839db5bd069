import { eventsApi, type UsageEvent } from '@telltale/domain/events/contract.ts';
import type { ObjectCounters } from '@telltale/domain/organization/contract.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, adminClient, makePerson } from './support/people.ts';
import { isGone, isSeen, soon } from './support/screen.ts';

const helen = await makePerson('Helen Home');
const none: ObjectCounters = { data_sources: 0, queries: 0, alerts: 0, dashboards: 0, users: 1 };

const withCounters = (page: Page, object_counters: ObjectCounters) =>
  page.route('**/api/organization/status', (route) => route.fulfill({ json: { object_counters } }));

test(
  'screens 3: the checklist offers the permitted steps, strikes out done ones and disappears when all are done',
  journey(
    'home',
    async ({ page, shot, visit }) => {
      const list = page.getByRole('region', { name: "Let's get started" });
      await withCounters(page, none);
      await page.goto('/');
      await isSeen(list);
      await soon(() => list.getByRole('link', { name: 'Invite your team members' }).getAttribute('href')).toBe('/users/new');
      await soon(() => list.getByRole('link', { name: 'Connect a Data Source' }).getAttribute('href')).toBe('/data_sources/new');
      await soon(() => list.locator('s').count()).toBe(0);
      await shot('nothing-done');

      await withCounters(page, { ...none, data_sources: 1 });
      await page.reload();
      await isSeen(list);
      await soon(() => list.locator('s').allTextContents()).toEqual(['Connect a Data Source']);
      await shot('one-done');
      await withCounters(page, { data_sources: 1, queries: 1, alerts: 1, dashboards: 1, users: 2 });
      await page.reload();
      await isSeen(page.getByRole('navigation', { name: 'Places' }));
      await soon(() => list.count()).toBe(0);

      const other = await visit({ as: helen });
      await withCounters(other.page, none);
      await other.page.goto('/');
      await isSeen(other.page.getByText('Ask an account admin to connect a data source'));
      await soon(() => other.page.getByText('Invite your team members').count()).toBe(0);
      await soon(() => other.page.getByRole('link', { name: 'Ask an account admin' }).count()).toBe(0);
      await other.shot('member', other.page);
    },
    { as: admin() },
  ),
);

test(
  'Q7: usage is sent in batches, at most one a second, and not lost when the page is left',
  journey(
    'events',
    async ({ page }) => {
      const batches: UsageEvent[][] = [];
      const sentAt: number[] = [];
      // By the browser's clock: the test may hear of it late.
      page.on('requestfinished', (request) => {
        if (!request.url().endsWith('/api/events')) return;
        batches.push(request.postDataJSON());
        sentAt.push(request.timing().startTime);
      });
      await page.goto('/');
      await page.getByRole('link', { name: 'Users', exact: false }).first().click();
      await page.getByRole('button', { name: 'New User' }).click();
      await isSeen(page.getByRole('dialog'));
      await page.keyboard.press('Escape');
      await isGone(page.getByRole('dialog'));
      await soon(() => batches.flat().map(({ object_id }) => object_id)).toEqual(['personal_homepage', 'users/new']);
      for (const [at, time] of sentAt.slice(1).entries()) expect(time - (sentAt[at] ?? 0)).toBeGreaterThan(900);
      const [first] = batches.flat();
      expect(first).toMatchObject({ action: 'view', object_type: 'page', screen_resolution: '1440x900' });
      expect(Math.abs((first?.timestamp ?? 0) - Date.now() / 1000)).toBeLessThan(60);

      const stored = async () => (await (await adminClient()).get(eventsApi.list, { query: { page_size: 100 } })).results;
      const views = async () => (await stored()).filter(({ object_id }) => object_id === 'personal_homepage').length;
      const before = await views();
      await page.goto('/');
      await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));
      await page.goto('about:blank');
      await soon(views).toBe(before + 1);
    },
    { as: admin() },
  ),
);

test(
  'Q2: relative times grow older by themselves and tell the exact time on focus',
  journey(
    'times',
    async ({ page, shot }) => {
      await makePerson('Tina Timely');
      await page.clock.install();
      await page.goto('/users?q=Timely');
      const joined = page.locator('tbody time').first();
      await isSeen(joined);
      await soon(() => joined.textContent()).toBe('just now');
      await joined.focus();
      await page.clock.runFor(1000);
      await isSeen(page.getByRole('tooltip', { name: /^\d+ \w{3} \d{4}, \d\d:\d\d$/ }));
      await shot('tooltip');
      // The page's clock goes on by itself, too.
      const growTo = async (seconds: number) => {
        const ageMs = await page.evaluate<number>("Date.now() - Date.parse(document.querySelector('tbody time').dateTime)");
        await page.clock.runFor(seconds * 1000 - ageMs);
      };
      await growTo(70);
      await soon(() => joined.textContent()).toBe('a minute ago');
      await growTo(300);
      await soon(() => joined.textContent()).toBe('5 minutes ago');
    },
    { as: admin() },
  ),
);
