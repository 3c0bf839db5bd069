import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeViolations } from './axe.ts';
import { accessibilityFaults, clipped, overflow, tabThrough } from './checks.ts';
import { type Journey, journey, type VisitOptions } from './journey.ts';
import { adminClient, invitePerson, makeGroup, makePerson } from './people.ts';
import { until } from './until.ts';

/** What stands for the names in an address of web/routes.tsx. */
type Examples = Record<string, number | string>;

/** Makes something to show on every page of this file's console, and a name that fits nowhere. A page with another name needs its example here. */
async function makeExamples(): Promise<Examples> {
  const long = await makePerson(`Wilhelmina-Featherstonehaugh-Cholmondeley-${'x'.repeat(60)}`);
  const group = await makeGroup('The people who look after the pumps of the old harbour and the new lock');
  await makePerson('Paula Pages', [group]);
  await invitePerson('Ignaz Invited');

  const client = await adminClient();
  const query = await client.get(queriesApi.create, {
    body: { name: 'Pumps that ran last night', query: 'select 1 as pump, true as ran', data_source_id: 1, tags: ['pumps'] },
  });
  const snippet = await client.get(querySnippetsApi.create, { body: { trigger: 'lastnight', snippet: "now() - interval '12 hours'" } });
  const { channel_id } = await client.get(channelsApi.create, {
    body: { channel_id: 'harbour', channel_name: 'Pumps of the old harbour' },
  });
  const { device_id } = await client.get(devicesApi.create, {
    params: { id: channel_id },
    body: { device_id: 'pump-1', device_name: `Pump-${'x'.repeat(60)}` },
  });

  const picture = await client.get(visualizationsApi.create, { body: { query_id: query.id, name: 'All pumps', type: 'TABLE' } });
  const dashboard = await client.get(dashboardsApi.create, { body: { name: 'What the pumps of the old harbour did last night' } });
  await client.get(widgetsApi.create, { body: { dashboard_id: dashboard.id, text: '# Tonight\n\nThe *second* pump is out.' } });
  await client.get(widgetsApi.create, { body: { dashboard_id: dashboard.id, visualization_id: picture.id } });
  const shared = await client.get(dashboardsApi.share, { params: { id: dashboard.id }, body: {} });
  const destination = await client.get(destinationsApi.create, {
    body: { name: 'The people on duty at the old harbour', type: 'webhook', options: { url: 'https://harbour.example/hook' } },
  });
  const alert = await client.get(alertsApi.create, {
    body: { name: 'A pump of the old harbour ran last night', query_id: query.id, options: { column: 'pump', op: '>', value: 0 } },
  });
  const command = await client.get(commandsApi.create, {
    body: { name: 'Stop the pumps of the old harbour', channel_id, device_ids: [device_id], payload: 'stop', mode: 'push', fport: 1 },
  });
  const network = await client.get(networksApi.create, { body: { name: 'Antennas of the old harbour', type: 'http' } });
  return {
    userId: long.id,
    groupId: group.id,
    dataSourceId: 1,
    queryId: query.id,
    querySnippetId: snippet.id,
    channelId: channel_id,
    deviceId: device_id,
    dashboardId: dashboard.id,
    dashboardSlug: dashboard.slug,
    alertId: alert.id,
    destinationId: destination.id,
    commandId: command.id,
    networkId: network.id,
    visualizationId: `${picture.id}?api_key=${query.api_key}`,
    token: shared.public_url.split('/').at(-1) ?? '',
  };
}

/** The table of pages, as text. */
export const routes = readFileSync(join(import.meta.dirname, '..', '..', '..', 'web', 'routes.tsx'), 'utf8');
export const registered = [...routes.matchAll(/^ {2}page\('([^']+)'.*?(?:area: '(\w+)')?(?:, needs: .*)? }\),$/gm)]
  .map(([, path = '', area = 'other']) => ({ path, area }))
  .filter(({ path }) => path !== '/logout');
/** The pages of each part of the product, and those that no route names. */
export const parts = Map.groupBy(
  [
    ...registered,
    { path: '/groups/:groupId?view=permissions', area: 'settings' },
    ...['/no/such/page', '/api/docs', '/help/index.html'].map((path) => ({ path, area: 'other' })),
  ],
  ({ area }) => area,
);
const addressOf = (path: string, examples: Examples) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (!(name in examples)) throw new Error(`tests/e2e/support/pages.ts has no example of :${name} in ${path}`);
    return String(examples[name]);
  });

export const signedOut = ['/login', '/forgot', '/invite/none', '/verify/none'];

const nameOf = (path: string) => path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home';

/** On a busy machine the network rests before the page is drawn. A page without a heading is reported by the checks. */
async function isShown(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page
    .locator('h1')
    .first()
    .waitFor({ state: 'attached', timeout: 20_000 })
    .catch(() => {});
}

/** The console follows the system at once, pages without its script the next time they are loaded. */
async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const isThere = async () => (await page.evaluate<string>('document.documentElement.dataset.theme')) === theme;
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  if (await until('the theme is there', 300, isThere).catch(() => false)) return;
  await page.reload();
  await isShown(page);
  await until('the theme is there', 60_000, isThere);
}

/** A page in both themes, on a desk and on phones: its faults in words. */
async function look({ page, shot }: Journey, path: string, examples: Examples): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(addressOf(path, examples));
  await isShown(page);
  const found: string[] = [];
  const note = (where: string, faults: string[]) => found.push(...faults.map((fault) => `${path}, ${where}: ${fault}`));
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme);
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await shot(nameOf(path));
      note(`${width} px ${theme}`, [
        ...(await accessibilityFaults(page)),
        ...(await overflow(page)),
        // The theme changes nothing but colours, whose contrast the check above has read.
        ...(width > 800 && theme === 'light' ? await axeViolations(page) : []),
      ]);
    }
  }
  // A window of 1440 by 900 at 200 %.
  await page.setViewportSize({ width: 720, height: 450 });
  note('200 %', [...(await overflow(page)), ...(await clipped(page))]);
  await page.setViewportSize({ width: 360, height: 740 });
  note('360 px', await overflow(page));
  const unseen = (await tabThrough(page, 12)).filter(({ isVisible }) => !isVisible);
  note(
    'by keyboard',
    unseen.map(({ name }) => `the focus cannot be seen on ${name}`),
  );
  return found;
}

/** Called at the beginning of a file, which is asked for the examples once. */
export async function pagesOfThisConsole() {
  const examples = await makeExamples();
  return (paths: readonly string[], options: VisitOptions) => lookAtAll(paths, options, examples);
}

const lookAtAll = (paths: readonly string[], options: VisitOptions, examples: Examples) =>
  journey(
    'page',
    async (visit) => {
      visit.faults.allow(/40[034] /);
      const found: string[] = [];
      for (const path of paths) found.push(...(await look(visit, path, examples)));
      expect(found).toEqual([]);
    },
    options,
  );
