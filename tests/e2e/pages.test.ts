import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, overflow, tabThrough } from './support/checks.ts';
import { journey, type VisitOptions } from './support/journey.ts';
import { admin, invitePerson, makeGroup, makePerson } from './support/people.ts';
import { until } from './support/until.ts';

/** Something to show on every page, and a name that fits nowhere. */
const long = await makePerson(`Wilhelmina-Featherstonehaugh-Cholmondeley-${'x'.repeat(60)}`);
const group = await makeGroup('The people who look after the pumps of the old harbour and the new lock');
await makePerson('Paula Pages', [group]);
await invitePerson('Ignaz Invited');

/** What stands for the names in an address of web/routes.tsx. A page with another name needs its example here. */
const examples: Record<string, string | number> = { userId: long.id, groupId: group.id, dataSourceId: 1 };

const routes = readFileSync(join(import.meta.dirname, '..', '..', 'web', 'routes.tsx'), 'utf8');
const registered = [...routes.matchAll(/^ {2}page\('([^']+)'/gm)].map(([, path = '']) => path).filter((path) => path !== '/logout');
const addressOf = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (!(name in examples)) throw new Error(`tests/e2e/pages.test.ts has no example of :${name} in ${path}`);
    return String(examples[name]);
  });

const signedIn = [...registered.map(addressOf), `/groups/${group.id}?view=permissions`, '/no/such/page', '/api/docs', '/help/index.html'];
const signedOut = ['/login', '/forgot', '/invite/none', '/verify/none'];

const nameOf = (address: string) => address.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home';
const isShown = (page: Page) => page.waitForLoadState('networkidle');

/** The console follows the system at once, pages without its script the next time they are loaded. */
async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const isThere = async () => (await page.evaluate<string>('document.documentElement.dataset.theme')) === theme;
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  if (await until('the theme is there', 300, isThere).catch(() => false)) return;
  await page.reload();
  await isShown(page);
  await until('the theme is there', 5000, isThere);
}

/** One visit of a page in both themes, on a desk and on phones; the faults in words. */
const look = (address: string, options: VisitOptions) =>
  journey(
    `page-${nameOf(address)}`,
    async ({ page, faults, shot }) => {
      faults.allow(/40[034] /);
      await page.goto(address);
      await isShown(page);
      const found: Record<string, string[]> = {};
      for (const theme of ['light', 'dark'] as const) {
        await inTheme(page, theme);
        for (const [width, height] of [
          [1440, 900],
          [390, 844],
        ] as const) {
          await page.setViewportSize({ width, height });
          await shot('whole');
          found[`${width} ${theme}`] = [...(await accessibilityFaults(page)), ...(await overflow(page))];
        }
      }
      await page.setViewportSize({ width: 360, height: 740 });
      found['360'] = await overflow(page);
      found.focus = (await tabThrough(page, 12)).filter(({ isVisible }) => !isVisible).map(({ name }) => `cannot be seen: ${name}`);
      expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
    },
    options,
  );

describe('look.md: every page is readable and named in both themes, its focus is seen, and it fits a phone of 360 px', () => {
  test.each(signedIn)('%s', (address) => look(address, { as: admin() })());
  test.each(signedOut)('%s, signed out', (address) => look(address, {})());
});
