import { execFileSync } from 'node:child_process';
import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { TestClient } from '../../server/testing/client.ts';
import { familyOf } from '../../server/testing/processes.ts';
import { firstAdmin, startPrepared } from './support/file-console.ts';
import { journey } from './support/journey.ts';

/** Whatever runs it leaves a mark on the page; the element it would make is looked for as well. */
const code = 'window.canary=1';
const hostile = (n: number) => `<img src=x${n} onerror="${code}"><script>${code}</script>{{constructor}}"'`;

const admin = firstAdmin;
const running = await startPrepared('hostile', { HOST: '0.0.0.0', MQTT_HOST: '0.0.0.0', MQTT_PORT: 'auto' });
afterAll(() => running.stop());
const url = `http://127.0.0.1:${new URL(running.url).port}`;

/** Something of every kind with a name that wants to be a script, and the pages that show it. */
async function makeEverything(): Promise<string[]> {
  const client = new TestClient(url);
  await client.signIn(admin.email, admin.password);
  const group = await client.get(groupsApi.create, { body: { name: hostile(1).slice(0, 100) } });
  const user = await client.get(usersApi.create, { body: { name: hostile(2), email: 'eve@telltale.example' } });
  // Without what would be a parameter of the query: those are shared by nobody.
  const text = `select '${hostile(3).replaceAll("'", "''").replace('{{constructor}}', '')}' as "${hostile(4).replaceAll('"', '').replace('{{constructor}}', '')}", 1 as n`;
  const query = await client.get(queriesApi.create, {
    body: { name: hostile(5), description: hostile(6), query: text, data_source_id: 1, tags: [hostile(7).slice(0, 60)] },
  });
  const chart = await client.get(visualizationsApi.create, {
    body: {
      query_id: query.id,
      name: hostile(8),
      type: 'CHART',
      // Security 13: script that somebody stored for a chart is shown to its author and never run.
      options: { globalSeriesType: 'custom', customCode: code, enableConsoleLogs: true },
    },
  });
  const dashboard = await client.get(dashboardsApi.create, { body: { name: hostile(9).slice(0, 100) } });
  await client.get(widgetsApi.create, { body: { dashboard_id: dashboard.id, text: `${hostile(10)}\n\n[x](javascript:${code})` } });
  await client.get(widgetsApi.create, { body: { dashboard_id: dashboard.id, visualization_id: chart.id } });
  const shared = await client.get(dashboardsApi.share, { params: { id: dashboard.id }, body: {} });
  await client.get(querySnippetsApi.create, { body: { trigger: hostile(11), snippet: hostile(12), description: hostile(13) } });
  await client.get(channelsApi.create, { body: { channel_id: 'evil', channel_name: hostile(14).slice(0, 100) } });
  const device = { device_id: 'one', device_name: hostile(15).slice(0, 100) };
  await client.get(devicesApi.create, { params: { id: 'evil' }, body: device });
  await client.get(destinationsApi.create, {
    body: { name: hostile(16), type: 'webhook', options: { url: 'https://example.com/hook' } },
  });
  const alert = await client.get(alertsApi.create, {
    body: { name: hostile(17), query_id: query.id, options: { column: 'n', op: '>', value: 0 } },
  });
  const command = await client.get(commandsApi.create, {
    body: { name: hostile(18).slice(0, 100), channel_id: 'evil', device_ids: ['one'], payload: hostile(19), mode: 'push', fport: 1 },
  });
  return [
    ...['/', '/queries', `/queries/${query.id}`, `/queries/${query.id}/source`, '/dashboards', `/dashboards/${dashboard.id}`],
    ...['/alerts', `/alerts/${alert.id}`, '/destinations', '/query_snippets', '/commands', `/commands/${command.id}`],
    ...['/mqtt', '/mqtt/evil', '/mqtt/evil/devices/one', '/groups', `/groups/${group.id}`],
    ...['/users/pending', `/users/${user.id}`, '/admin/audit', '/admin/access', shared.public_url.replace(/^https?:\/\/[^/]+/, '')],
  ];
}

/** What the page itself tells: whether the mark is there, and elements that a name has become. */
const marksOn = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const made = [...document.querySelectorAll('img[onerror], img[src^="x"], script:not([src])')].map((element) => element.outerHTML);
    return [...('canary' in window ? ['a script ran'] : []), ...made.filter((text) => text.includes('canary'))];
  })()`);

test(
  'security 12 and 13: names, texts and code of every kind that want to run are only shown, on every page',
  journey(
    'hostile',
    async ({ page, shot, faults }) => {
      faults.allow(/404/);
      const pages = await makeEverything();
      const found: unknown[] = [];
      for (const path of pages) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        found.push(...(await marksOn(page)).map((mark) => [path, mark]));
      }
      await shot('last');
      expect(found).toEqual([]);
    },
    { url, as: admin },
  ),
);

const hasSs = (() => {
  try {
    return execFileSync('ss', ['-V']).length > 0;
  } catch {
    return false;
  }
})();

test.skipIf(!hasSs)(
  hasSs
    ? 'security 36: only the pages and the broker listen beyond this machine'
    : 'security 36: only the pages and the broker listen beyond this machine (needs ss)',
  () => {
    const family = familyOf(running.pid);
    const lines = execFileSync('ss', ['-ltnpH']).toString().split('\n');
    const own = lines.filter((line) => family.some((pid) => line.includes(`pid=${pid},`)));
    expect(own.length).toBeGreaterThan(3);
    const beyond = own.map((line) => line.trim().split(/\s+/)[3] ?? '').filter((place) => !/^(?:127\.0\.0\.1|\[::1\]):/.test(place));
    expect(beyond).toHaveLength(2);
    expect(beyond.some((place) => place.endsWith(`:${new URL(url).port}`))).toBe(true);
  },
);
