import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { TestClient } from '../../server/testing/client.ts';
import { hookServer } from '../../server/testing/hook-server.ts';
import { fakeSmtp } from '../../server/testing/smtp.ts';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { consoleWithBroker, failing } from './support/devices.ts';
import { dialog, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const hook = await hookServer();
const mail = await fakeSmtp();
const { account, client, here, connect, aDevice, url } = consoleWithBroker('alerts', {
  TELLTALE_ALLOW_PRIVATE: '127.0.0.1',
  SMTP_URL: mail.url,
});

/** A published query over what devices of a channel reported last. */
const latestOf = (name: string, channel: string, attribute: string) =>
  aQuery(
    name,
    `select value as ${attribute}, device_id from app.metric where channel_id = '${channel}' and attribute = '${attribute}' order by time desc limit 3`,
  );

async function aQuery(name: string, query: string, options: Record<string, unknown> = {}) {
  const sources = await client().get(dataSourcesApi.list);
  const source = Array.isArray(sources) ? sources.find(({ type }) => type === 'telltale') : undefined;
  const { id } = await client().get(queriesApi.create, { body: { name, data_source_id: source?.id ?? 0, query, options } });
  await client().get(queriesApi.save, { params: { id }, body: { is_draft: false } });
  return id;
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).first().click();
}

const menu = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test(
  'A2, A4 and A8: an alert on a query is made, triggers by an uplink, notifies, is muted, changed and deleted',
  here('alerts', async ({ page, shot, faults }) => {
    const { api_key } = await aDevice('rooms', 'attic');
    const device = await connect('rooms', 'attic', api_key);
    const report = (temperature: number) => device.publishAsync('v1/rooms/devices/attic/up', JSON.stringify({ temperature }), { qos: 1 });
    await report(21);
    const queryId = await latestOf('Room temperatures', 'rooms', 'temperature');
    const run = () => client().call(queriesApi.refresh, { params: { id: queryId } });
    await run();
    await client().get(destinationsApi.create, {
      body: { name: 'Ops webhook', type: 'webhook', options: { url: `${hook.url}/ops` } },
    });

    await client().get(commandsApi.create, {
      body: { name: 'Fan on', channel_id: 'rooms', device_ids: ['attic'], fport: 1, mode: 'push', payload: '01' },
    });

    await page.goto('/alerts');
    await isSeen(page.getByText('Get notified on certain events'));
    await page.getByRole('button', { name: 'New Alert' }).click();
    const create = page.getByRole('button', { name: 'Create Alert' });
    await soon(() => create.isDisabled()).toBe(true);
    const search = page.getByRole('combobox', { name: 'Query', exact: true });
    await search.fill('no such query');
    await isSeen(page.getByText('No results matching search term.'));
    await search.fill('room temp');
    await page.locator('.ant-select-item-option', { hasText: 'Room temperatures' }).click();
    await isSeen(page.getByText('This query has no refresh schedule.'));
    await soon(() => page.getByText('Top row value is').innerText()).toBe('Top row value is 21');
    await soon(() => page.getByLabel('Alert name').getAttribute('placeholder')).toBe('Room temperatures: temperature > 1');

    // A5, word for word.
    const threshold = page.getByLabel('Threshold');
    await threshold.fill('hot');
    await isSeen(page.getByText("Value column type doesn't match threshold type."));
    await choose(page, 'Condition', '= equals');
    await isGone(page.getByText("Value column type doesn't match threshold type."));
    await threshold.fill('30');
    await choose(page, 'Condition', '> greater than');
    await choose(page, 'Value column', 'device_id');
    await isSeen(page.getByText("Value column isn't supported by condition type."));
    await choose(page, 'Value column', 'temperature');

    // A4: the third mode begins with an hour.
    await choose(page, 'When triggered, send notification', 'At most every');
    await soon(() => page.getByRole('spinbutton', { name: 'interval' }).inputValue()).toBe('1');
    await isSeen(page.getByText(', when evaluated'));
    await isSeen(page.getByText(/would not have triggered in the last 30 days/));
    await shot('new');
    await soon(() => accessibilityFaults(page)).toEqual([]);
    await create.click();
    await isSeen(notice(page, 'Saved.'));
    await isSeen(page.getByText('Status: unknown'));
    await isSeen(page.getByText('Alert condition has not been evaluated.'));
    const address = placeOf(page);
    expect(address).toMatch(/^\/alerts\/\d+$/);
    await isSeen(page.getByText('Notifications are sent at most every 1 hour, when alert is evaluated.'));

    await page.getByRole('switch', { name: `Notify ${account.email}` }).click();
    await isSeen(notice(page, 'Subscribed.'));
    await page.getByRole('region', { name: 'Destinations' }).getByRole('button', { name: 'Add' }).click();
    const add = dialog(page, 'Add Existing Alert Destinations');
    await soon(() => add.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await add.getByRole('button', { name: 'Ops webhook' }).click();
    await shot('destinations');
    await add.getByRole('button', { name: 'Save (1)' }).click();
    await isGone(add);
    await isSeen(page.getByRole('button', { name: 'Remove Ops webhook' }));
    await page.getByRole('region', { name: 'Destinations' }).getByRole('button', { name: 'Add' }).click();
    await soon(() => add.getByRole('button', { name: 'Ops webhook' }).isDisabled()).toBe(true);
    await add.getByRole('button', { name: 'Cancel' }).click();

    const commandsPanel = page.getByRole('region', { name: 'Commands' });
    await commandsPanel.getByRole('button', { name: 'Add' }).click();
    const addCommands = dialog(page, 'Add Existing Commands');
    await soon(() => addCommands.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await addCommands.getByRole('button', { name: 'Fan on' }).click();
    await shot('commands');
    await addCommands.getByRole('button', { name: 'Save (1)' }).click();
    await isGone(addCommands);
    await isSeen(commandsPanel.getByRole('button', { name: 'Remove Fan on' }));
    await commandsPanel.getByRole('button', { name: 'Add' }).click();
    await soon(() => addCommands.getByRole('button', { name: 'Fan on' }).isDisabled()).toBe(true);
    await addCommands.getByRole('button', { name: 'Cancel' }).click();

    await run();
    await isSeen(page.getByText('Status: ok'));
    await report(31.5);
    await run();
    await isSeen(page.getByText('Status: triggered'));
    const [call] = await hook.callsTo('/ops');
    expect(call?.json).toMatchObject({
      event: 'alert_state_change',
      alert: { name: 'Room temperatures: temperature > 30', state: 'triggered' },
    });
    const [letter] = await mail.lettersTo(account.email);
    expect(letter?.subject).toContain('Room temperatures: temperature > 30');
    await isSeen(page.getByRole('table', { name: 'Timeline' }).getByText('Sent to', { exact: false }));
    await soon(() => page.getByRole('table', { name: 'Deliveries' }).getByText('Sent', { exact: true }).count()).toBe(2);
    await isSeen(page.getByRole('table', { name: 'Deliveries' }).getByText('Fan on').first());
    await isSeen(page.getByText(/would have triggered 1 time/));
    await soon(() => page.getByRole('link', { name: 'Alerts', exact: true }).getAttribute('title')).toBe('1 triggered');
    await shot('triggered');
    await soon(() => accessibilityFaults(page)).toEqual([]);

    faults.allow(/500/);
    await failing(page, '**/mute', 'POST');
    await menu(page, 'Mute Notifications');
    await isSeen(notice(page, 'Failed muting notifications.'));
    await page.unroute('**/mute');
    await menu(page, 'Mute Notifications');
    await isSeen(notice(page, 'Notifications have been muted.'));
    await isSeen(page.getByText('Notifications are muted'));
    await shot('muted');
    await page.getByRole('button', { name: 'Unmute' }).click();
    await isSeen(notice(page, 'Notifications have been restored.'));
    await isGone(page.getByText('Notifications are muted'));

    await page.getByRole('button', { name: 'Edit' }).click();
    await soon(() => placeOf(page)).toBe(`${address}/edit`);
    await page.getByLabel('Alert name').fill('Attic too hot');
    await choose(page, 'Template', 'Use custom template');
    await page.getByLabel('Subject', { exact: true }).fill('{{ALERT_NAME}} is {{ALERT_STATUS}}');
    await page
      .getByLabel('Body', { exact: true })
      .fill('<b>{{QUERY_RESULT_VALUE}}</b>{{#QUERY_RESULT_ROWS}} {{device_id}}{{/QUERY_RESULT_ROWS}}');
    await page.getByRole('switch', { name: 'Preview' }).click();
    await isSeen(page.getByText('Attic too hot is TRIGGERED'));
    await isSeen(page.getByText('<b>31.5</b> attic attic'));
    await choose(page, 'Row', '2');
    await isSeen(page.getByText('<b>21</b> attic attic'));
    await choose(page, 'Status', 'OK');
    await isSeen(page.getByText('Attic too hot is OK'));
    await shot('template');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await isSeen(page.getByRole('heading', { name: 'Attic too hot' }));
    await isSeen(page.getByText('Set to custom notification template.'));
    await soon(() => placeOf(page)).toBe(address);

    await menu(page, 'Delete');
    const sure = dialog(page, 'Delete Alert');
    await isSeen(sure.getByText('Are you sure you want to delete this alert?'));
    await sure.getByRole('button', { name: 'Delete' }).click();
    await isSeen(notice(page, 'Alert deleted successfully.'));
    await soon(() => placeOf(page)).toBe('/alerts');
    await isSeen(page.getByText('Get notified on certain events'));
  }),
);

test(
  'design 8.1: an alert on a device attribute has a state per device and shows on the device’s page',
  here('device-alerts', async ({ page, shot }) => {
    const { api_key } = await aDevice('weather', 'roof');
    await aDevice('weather', 'mast');
    const device = await connect('weather', 'roof', api_key);
    const report = (wind: number) => device.publishAsync('v1/weather/devices/roof/up', JSON.stringify({ wind }), { qos: 1 });
    await report(10);
    await page.goto('/mqtt/weather/devices/roof');
    await isSeen(page.getByText('No alert watches this device.'));
    await page.getByRole('link', { name: 'New Alert' }).click();
    await isSeen(page.getByRole('combobox', { name: 'Attribute', exact: true }));
    await page.getByRole('combobox', { name: 'Attribute', exact: true }).fill('wind');
    await page.getByLabel('Threshold').fill('60');
    await soon(() => page.getByLabel('Alert name').getAttribute('placeholder')).toBe('Channel weather: wind > 60');
    await isSeen(page.getByText(/would not have triggered in the last 30 days/));
    await shot('new');
    await page.getByRole('button', { name: 'Create Alert' }).click();
    await isSeen(page.getByRole('heading', { name: 'Channel weather: wind > 60' }));
    await report(71.5);
    await isSeen(page.getByText('Status: triggered'));
    const states = page.getByRole('table', { name: 'Devices' });
    await isSeen(states.getByRole('row', { name: /Device roof.*TRIGGERED.*71.5/ }));
    await isSeen(page.getByText('Nobody was notified: the alert has no destinations.'));
    await shot('triggered');
    await states.getByRole('link', { name: 'Device roof' }).click();
    await isSeen(page.getByRole('table', { name: 'Alerts' }).getByRole('row', { name: /Channel weather: wind > 60.*TRIGGERED/ }));
    await shot('device');

    await page.goto('/alerts/new?kind=silence&channel_id=weather');
    await isSeen(page.getByRole('spinbutton', { name: 'No data for' }));
    await soon(() => page.getByLabel('Alert name').getAttribute('placeholder')).toBe('Channel weather: silent for 10 minutes');
    await choose(page, 'Unit of No data for', 'Hour');
    await page.getByRole('spinbutton', { name: 'No data for' }).fill('2');
    await page.getByRole('button', { name: 'Create Alert' }).click();
    await isSeen(page.getByRole('heading', { name: 'Channel weather: silent for 2 hours' }));
    const alerts = await client().get(alertsApi.list);
    expect((Array.isArray(alerts) ? alerts : []).map(({ options }) => options)).toContainEqual(
      expect.objectContaining({ kind: 'silence', silent_seconds: 7200 }),
    );
  }),
);

test(
  'A6: others may look at an alert; its edit address warns and shows it',
  here('alerts-others', async ({ page, visit, shot, faults }) => {
    const queryId = await latestOf('Watched', 'nowhere', 'temperature');
    const alert = await client().get(alertsApi.create, {
      body: { name: 'Not yours', query_id: queryId, options: { column: 'temperature', op: '>', value: 5 } },
    });
    const invited = await client().get(usersApi.create, { body: { name: 'Paula Plain', email: 'paula@alerts.example' } });
    const password = 'the password of Paula';
    const [, link = ''] = /(\/invite\/\S+?)["<\s]/.exec((await mail.lettersTo('paula@alerts.example'))[0]?.html ?? '') ?? [];
    const invitation = invited.invite_link ?? link;
    expect((await new TestClient(url()).json('POST', invitation, { password })).ok).toBe(true);

    const { page: hers } = await visit({ as: { email: 'paula@alerts.example', password } });
    await hers.goto(`/alerts/${alert.id}`);
    await isSeen(hers.getByText('Status: unknown'));
    expect(await notice(hers, 'You cannot edit this alert').count()).toBe(0);
    await hers.getByRole('button', { name: 'Edit' }).focus();
    await isSeen(hers.getByText('You do not have sufficient permissions to edit this alert'));
    await hers.goto(`/alerts/${alert.id}/edit`);
    await isSeen(notice(hers, 'You cannot edit this alert'));
    await soon(() => placeOf(hers)).toBe(`/alerts/${alert.id}`);
    await shot('refused', hers);

    // What was not found: complaint 47, and an alert that is not there.
    await page.goto('/alerts/new');
    await page.getByRole('combobox', { name: 'Query', exact: true }).fill('Watched');
    await page.locator('.ant-select-item-option', { hasText: 'Watched' }).click();
    await isSeen(page.getByText('This query has no result yet. Name the column to watch, or run the query first.'));
    await page.getByLabel('Value column').fill('temperature');
    await soon(() => page.getByRole('button', { name: 'Create Alert' }).isEnabled()).toBe(true);
    await shot('no-result');

    // A query that is named in the address is selected; one that cannot be says so (A5, A8).
    const asked = await aQuery('Asked', 'select {{ n }} as n', { parameters: [{ name: 'n', title: 'N', type: 'number', value: 1 }] });
    await page.goto(`/alerts/new?query_id=${asked}`);
    await isSeen(page.getByText('Alerts do not work with queries that use parameters.', { exact: true }));
    // A9: dates are typed as DD.MM.YYYY, times as HH:mm, and stored as YYYY-MM-DD and HH:mm:ss.
    const dated = await aQuery(
      'Calibrations',
      "select date '2026-11-16' as due, timestamp '2026-11-16 08:30' as done, time '08:30:00' as at",
    );
    await client().call(queriesApi.refresh, { params: { id: dated } });
    await page.goto(`/alerts/new?query_id=${dated}`);
    const stored: Record<string, string> = {};
    for (const [column, typed] of [
      ['due', '24.12.2026'],
      ['done', '24.12.2026 18:45'],
      ['at', '18:45'],
    ] as const) {
      await choose(page, 'Value column', column);
      await page.getByLabel('Threshold').fill(typed);
      await page.getByLabel('Threshold').press('Enter');
      stored[column] = (await page.getByLabel('Alert name').getAttribute('placeholder')) ?? '';
    }
    expect(stored).toEqual({
      due: 'Calibrations: due > 2026-12-24',
      done: 'Calibrations: done > 2026-12-24 18:45:00',
      at: 'Calibrations: at > 18:45:00',
    });
    faults.allow(/404/);
    await page.goto('/alerts/new?query_id=999999');
    await isSeen(notice(page, 'Something went wrong...'));
    await isSeen(page.getByText("Couldn't select query"));
    await isSeen(page.getByRole('heading', { name: 'New Alert' }));
  }),
);

test(
  'every alert page fits a phone',
  here(
    'alerts-phone',
    async ({ page, shot }) => {
      const queryId = await latestOf('On a phone', 'rooms', 'temperature');
      const { id } = await client().get(alertsApi.create, {
        body: { name: `A long name ${'of an alert '.repeat(8)}`, query_id: queryId, options: { column: 'temperature', op: '>', value: 5 } },
      });
      for (const [name, address] of Object.entries({
        list: '/alerts',
        view: `/alerts/${id}`,
        edit: `/alerts/${id}/edit`,
        new: '/alerts/new',
      })) {
        await page.goto(address);
        await isSeen(page.getByRole('heading', { level: 1 }));
        await page.waitForLoadState('networkidle');
        await shot(name);
        await soon(() => overflow(page)).toEqual([]);
      }
    },
    { width: 390, height: 844, theme: 'dark' },
  ),
);
