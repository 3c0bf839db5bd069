import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import type { MqttClient } from 'mqtt';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { TestClient } from '../../server/testing/client.ts';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { consoleWithBroker, failing, tab } from './support/devices.ts';
import { choose } from './support/queries.ts';
import { dialog, dismiss, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const { client, here, connect, aDevice, url } = consoleWithBroker('commands');

interface Message {
  id: string;
  command: string;
  payload: unknown;
}

const topic = (channelId: string, deviceId: string, kind: string) => `v1/${channelId}/devices/${deviceId}/${kind}`;

/** A device that listens; it answers when the test says so. */
async function listen(channelId: string, deviceId: string, api_key: string) {
  const session: MqttClient = await connect(channelId, deviceId, api_key);
  const messages: Message[] = [];
  session.on('message', (_, bytes) => messages.push(JSON.parse(bytes.toString())));
  await session.subscribeAsync(topic(channelId, deviceId, 'down'), { qos: 1 });
  const answer = ({ id }: Message) => session.publishAsync(topic(channelId, deviceId, 'ack'), JSON.stringify({ id, ok: true }), { qos: 1 });
  const report = (values: object) => session.publishAsync(topic(channelId, deviceId, 'up'), JSON.stringify(values), { qos: 1 });
  return { session, messages, answer, report };
}

const makeCommand = async (name: string, channel_id: string, device_ids: string[]) =>
  client().get(commandsApi.create, {
    body: { name, channel_id, device_ids, fport: 1, mode: 'push', payload: '010AFF', confirm: true },
  });

const deliveries = (page: Page) => page.getByRole('region', { name: 'Deliveries' });

test(
  'A2, A5, A8: a command is created, edited, previewed, sent, acknowledged and cancelled, all seen live',
  here('commands', async ({ page, shot, faults }) => {
    const { api_key } = await aDevice('garden', 'valve-1');
    await aDevice('garden', 'valve-2');
    await page.goto('/commands');
    await isSeen(page.getByText('No commands yet'));
    await page.getByRole('button', { name: 'Add Command' }).first().click();

    // A5: what is missing is told field by field.
    const add = dialog(page, 'Downlink');
    await add.getByLabel('Name').fill(' R ');
    await isSeen(add.getByText('Min 2 characters expected'));
    await add.getByRole('button', { name: 'Create Command' }).click();
    await soon(() => add.getByText('This field is required.').count()).toBe(3);
    await soon(() => add.getByLabel('FPort').inputValue()).toBe('1');
    await shot('missing');
    await add.getByLabel('Name').fill('  Open valve  ');
    await choose(page, add.getByLabel('Channel'), 'Channel garden');
    await choose(page, add.getByLabel('Devices'), 'Device valve-1');
    await add.getByLabel('Payload', { exact: true }).fill('01 0A FF');
    await isSeen(add.getByText('3 bytes:'));
    await add.getByText('Retry until the device reports the effect').click();
    await add.getByLabel('Attribute').fill('nowhere');
    await isSeen(add.getByText('attribute is not matched with your device!'));
    await add.getByText('Retry until the device reports the effect').click();
    await add.getByText('Confirmed downlink').click();
    await add.getByRole('button', { name: 'Create Command' }).click();
    await isSeen(notice(page, 'Command created successfully'));
    await soon(() => placeOf(page)).toMatch(/^\/commands\/\d+$/);
    await isSeen(page.getByRole('heading', { name: 'Open valve', exact: true }));

    // A2: the list says how long ago a command was updated, and when it was created.
    await page.goto('/commands');
    const times = page.getByRole('row').filter({ hasText: 'Open valve' }).locator('time');
    await soon(() => times.allInnerTexts()).toEqual([
      expect.stringMatching(/now|ago/),
      expect.stringMatching(/^\d+ \w{3} \d{4}, \d\d:\d\d$/),
    ]);
    await page.getByRole('link', { name: 'Open valve' }).click();

    // A2: the title is edited in place; Escape and blanks change nothing.
    const rename = async (text: string, key: string) => {
      await page.getByTitle('Edit Command name').click();
      await page.getByLabel('Command name').fill(text);
      await page.getByLabel('Command name').press(key);
    };
    await rename('Something else', 'Escape');
    await rename('   ', 'Enter');
    await isSeen(page.getByRole('heading', { name: 'Open valve', exact: true }));
    await rename('  Open the valve ', 'Enter');
    await isSeen(notice(page, 'Commands saved successfully'));
    await isSeen(page.getByRole('heading', { name: 'Open the valve', exact: true }));

    // A5: 1 to 223 where a command is edited.
    await page.getByLabel('FPort').fill('224');
    await isSeen(page.getByText('This field must be between 1 and 223.'));
    await page.getByLabel('FPort').fill('10');
    await isSeen(page.getByText('(unsaved changes)'));
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await isSeen(notice(page, 'Command saved Successfully'));
    await soon(() => page.getByText('(unsaved changes)').count()).toBe(0);

    // The bytes and the devices are shown before anything is sent.
    const device = await listen('garden', 'valve-1', api_key);
    await page.evaluate("window.name = 'not reloaded'");
    await page.getByRole('button', { name: 'Send now' }).click();
    const send = dialog(page, 'Send “Open the valve”');
    await isSeen(send.getByText('01 0A FF'));
    await isSeen(send.getByText('Device valve-1'));
    await shot('preview');
    expect(device.messages).toEqual([]);
    await send.getByRole('button', { name: 'Send to 1 device' }).click();
    await isGone(send);
    await soon(() => device.messages.length).toBe(1);
    expect(device.messages[0]).toMatchObject({ command: 'Open the valve', fport: 10, confirm: true });
    await isSeen(deliveries(page).getByText('Sent', { exact: true }));
    await device.answer(device.messages[0] as Message);
    await isSeen(deliveries(page).getByText('Acknowledged', { exact: true }));
    expect(await page.evaluate('window.name')).toBe('not reloaded');
    await page.getByRole('button', { name: 'Log of Device valve-1' }).first().click();
    await isSeen(page.getByRole('table', { name: 'Log' }).getByText('Acknowledged'));

    // What waits for a device that is away can be taken back.
    await device.session.endAsync();
    await page.getByRole('button', { name: 'Send now' }).click();
    await dialog(page, 'Send “Open the valve”').getByRole('button', { name: 'Send to 1 device' }).click();
    await isSeen(deliveries(page).getByText('Queued', { exact: true }));
    await shot('timeline');
    await soon(() => accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel Device valve-1' }).click();
    await isSeen(deliveries(page).getByText('Cancelled', { exact: true }));
    await choose(page, page.getByLabel('Filter by state'), 'Acknowledged');
    await isGone(deliveries(page).getByText('Cancelled', { exact: true }));
    await isSeen(deliveries(page).getByText('Acknowledged', { exact: true }).first());

    // A8: a failure is told in these words.
    faults.allow(/500/);
    await failing(page, /\/api\/downlink-commands\/\d+$/, 'POST');
    await page.getByLabel('FPort').fill('11');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await isSeen(notice(page, 'Error while Saving Schedules'));
    await failing(page, /\/api\/downlink-commands\/\d+$/, 'DELETE');
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog(page, 'Delete Command').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await isSeen(notice(page, 'Error while delete Command'));
    await page.unrouteAll();
    // The page reads deliveries from time to time, also in the moment in which their command is deleted.
    faults.allow(/404.*\/(deliveries|executions)/);
    await dialog(page, 'Delete Command').getByRole('button', { name: 'Delete' }).click();
    await isSeen(notice(page, 'Command deleted Successfully'));
    await soon(() => placeOf(page)).toBe('/commands');
  }),
);

test(
  'D2: the Downlink tab shows queue and log, and rows of a result send a command',
  here('commands-device', async ({ page, shot, visit }) => {
    const { api_key } = await aDevice('pumps', 'pump-1');
    await aDevice('pumps', 'pump-2');
    const reboot = await makeCommand('Reboot', 'pumps', ['pump-1']);

    await page.goto('/mqtt/pumps/devices/pump-1?tab=downlink');
    const queue = page.getByRole('region', { name: 'Queue' });
    const log = page.getByRole('region', { name: 'Log' });
    await isSeen(queue.getByText('Nothing is waiting for this device.'));
    const sendOne = async () => {
      await page.getByRole('button', { name: 'Send command' }).click();
      const send = dialog(page, 'Send command');
      await choose(page, send.getByLabel('Command'), 'Reboot');
      await isSeen(send.getByText('01 0A FF'));
      await send.getByRole('button', { name: 'Send to 1 device' }).click();
      await isGone(send);
    };
    await sendOne();
    await isSeen(queue.getByText('Queued', { exact: true }));
    await sendOne();
    await soon(() => queue.getByText('Queued', { exact: true }).count()).toBe(2);
    await shot('queue');
    await queue.getByRole('button', { name: 'Delete Reboot' }).first().click();
    await isSeen(log.getByText('Cancelled', { exact: true }));
    await soon(() => queue.getByText('Queued', { exact: true }).count()).toBe(1);
    const device = await listen('pumps', 'pump-1', api_key);
    await soon(() => device.messages.length).toBe(1);
    await device.answer(device.messages[0] as Message);
    await isSeen(log.getByText('Acknowledged', { exact: true }));
    await isSeen(queue.getByText('Nothing is waiting for this device.'));
    await isSeen(page.getByText('mosquitto_sub').first());

    const sources = await client().get(dataSourcesApi.list);
    const source = (Array.isArray(sources) ? sources : sources.results).find(({ type }) => type === 'telltale');
    const query = await client().get(queriesApi.create, {
      body: {
        name: 'Weak pumps',
        query: "select 'pumps' as channel_id, device_id, 3.1 as volts from (values ('pump-1'), ('pump-2')) as t(device_id)",
        data_source_id: source?.id ?? 0,
        options: { parameters: [] },
      },
    });
    await page.goto(`/queries/${query.id}/source`);
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByRole('button', { name: 'Send Command' }).click();
    const rows = dialog(page, 'Send command to devices of this result');
    await isSeen(rows.getByText('volts 3.1').first());
    await rows.getByLabel('pump-1').click();
    await rows.getByRole('button', { name: 'Choose command' }).click();
    await isGone(rows);
    const send = dialog(page, 'Send command');
    await choose(page, send.getByLabel('Command'), 'Reboot');
    await send.getByRole('button', { name: 'Send to 1 device' }).click();
    await soon(() => device.messages.length).toBe(2);

    // Those who may only look see the same without anything that sends.
    const json = async <T>(method: string, path: string, body: object) => (await (await client().json(method, path, body)).json()) as T;
    const group = await json<{ id: number }>('POST', '/api/groups', { name: 'Lookers' });
    await json('POST', `/api/groups/${group.id}`, { permissions: ['view_channel'] });
    const looker = { email: 'looker@devices.example', password: 'may look but not send' };
    const invited = await json<{ id: number; invite_link: string }>('POST', '/api/users', { name: 'Looker', email: looker.email });
    await new TestClient(url()).json('POST', invited.invite_link, { password: looker.password });
    await json('POST', `/api/users/${invited.id}`, { group_ids: [group.id] });
    const { page: theirs } = await visit({ as: looker, url: url(), width: 390, theme: 'dark' });
    await theirs.goto(`/commands/${reboot.id}`);
    await isSeen(deliveries(theirs).getByText('Acknowledged', { exact: true }));
    for (const name of ['Send now', 'Save Changes', 'Delete', 'Add destination'])
      expect(await theirs.getByRole('button', { name }).count()).toBe(0);
    await soon(() => overflow(theirs)).toEqual([]);
    await shot('looker', theirs);
  }),
);

test(
  'A2, A5, A8, A9: schedules are built, previewed, run and deleted',
  here('commands-schedules', async ({ page, shot, faults }) => {
    const { api_key } = await aDevice('lamps', 'lamp-1');
    const { id } = await makeCommand('Toggle lamp', 'lamps', ['lamp-1']);
    const device = await listen('lamps', 'lamp-1', api_key);
    await device.report({ lux: 10 });
    await page.goto(`/commands/${id}`);
    await tab(page, 'Schedules').click();
    await isSeen(page.getByText('No active schedules. All shows those that are over.'));

    // A9: the default, then every weekday morning; the server says what it means.
    await page.getByRole('button', { name: 'New Schedule' }).click();
    const add = dialog(page, 'New Schedule');
    await soon(() => add.getByLabel('Cron expression').inputValue()).toBe('0 0 00 1/1 * ?*');
    await isSeen(add.getByTitle('Asia/Kolkata'));
    await soon(() => add.getByRole('region', { name: 'Next runs' }).locator('tbody tr').count()).toBe(5);
    await add.getByText('Every weekday, Monday to Friday').click();
    await soon(() => add.getByLabel('Cron expression').inputValue()).toBe('0 0 0 ? * MON-FRI *');
    await add.getByLabel('Name').fill('Weekdays');
    faults.allow(/400/);
    await add.getByLabel('Cron expression').fill('every now and then');
    await isSeen(add.getByRole('region', { name: 'Next runs' }).getByRole('alert'));
    await add.getByLabel('Cron expression').fill('0 0 9 ? * 6#3 *');
    await soon(() => add.getByRole('region', { name: 'Next runs' }).locator('tbody tr').count()).toBe(5);
    await shot('builder');
    await add.getByRole('button', { name: 'Create Schedule' }).click();
    await isSeen(notice(page, 'Schedule created successfully'));
    await dismiss(page, 'Schedule created successfully');
    await isSeen(page.getByRole('table', { name: 'Schedules' }).getByText('Weekdays'));

    // A2: now, in the browser's zone.
    await page.getByRole('button', { name: 'Schedule Now' }).click();
    await dialog(page, 'Schedule Now').getByRole('button', { name: 'Send to 1 device' }).click();
    await isSeen(notice(page, 'Schedule created successfully'));
    await dismiss(page, 'Schedule created successfully');
    await isSeen(page.getByRole('table', { name: 'Schedules' }).getByText('One Time', { exact: true }));
    await soon(() => device.messages.length).toBe(1);
    await device.answer(device.messages[0] as Message);

    // A9: a range the wrong way round, then an event that fires.
    await page.getByRole('button', { name: 'New Event' }).click();
    const event = dialog(page, 'New Event');
    await soon(async () => Math.round((await event.boundingBox())?.width ?? 0)).toBe(700);
    await event.getByLabel('Name').fill('Too bright');
    await choose(page, event.getByLabel('Device', { exact: true }), 'Device lamp-1');
    await event.getByLabel('Attribute').fill('lux');
    await choose(page, event.getByLabel('Operator'), 'between');
    await event.getByLabel('From').fill('100');
    await event.getByLabel('To', { exact: true }).fill('50');
    await isSeen(event.getByText('Invalid range'));
    await event.getByLabel('To', { exact: true }).fill('500');
    await event.getByRole('button', { name: 'Create Event' }).click();
    await isSeen(notice(page, 'Schedule created successfully'));
    await dismiss(page, 'Schedule created successfully');
    await isSeen(page.getByText('Armed', { exact: true }));
    await device.report({ lux: 200 });
    await soon(() => device.messages.length).toBe(2);
    await shot('list');
    await soon(() => accessibilityFaults(page)).toEqual([]);
    await soon(() => overflow(page)).toEqual([]);

    // A8, with the two blanks.
    faults.allow(/500/);
    await failing(page, '**/schedules', 'POST');
    await page.getByRole('button', { name: 'Schedule Now' }).click();
    await dialog(page, 'Schedule Now').getByRole('button', { name: 'Send to 1 device' }).click();
    await isSeen(page.locator('.ant-notification').getByText(/^Error while\s+Creating Schedules$/));
    await page.unrouteAll();
    await dialog(page, 'Schedule Now').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete Too bright' }).click();
    await dialog(page, 'Delete Schedule').getByRole('button', { name: 'Delete' }).click();
    await isSeen(notice(page, 'Schedule deleted successfully'));
    await soon(() => page.getByText('Too bright').count()).toBe(0);
  }),
);

test(
  'above 20 devices a send is confirmed; a command is repeated until its effect is seen; a suspended event is resumed; runs are listed',
  here('commands-safety', async ({ page, shot }) => {
    const names = Array.from({ length: 21 }, (_, n) => `light-${String(n + 1).padStart(2, '0')}`);
    const keys: string[] = [];
    for (const name of names) keys.push((await aDevice('lights', name)).api_key);
    const all = await makeCommand('All lights', 'lights', names);
    await page.goto(`/commands/${all.id}`);
    await page.getByRole('button', { name: 'Send now' }).click();
    const send = dialog(page, 'Send “All lights”');
    const go = send.getByRole('button', { name: 'Send to 21 devices' });
    await soon(() => go.isDisabled()).toBe(true);
    await send.getByText('Yes, send this command to 21 devices').click();
    await shot('confirm');
    await go.click();
    await isGone(send);
    await soon(() => deliveries(page).getByText('Queued', { exact: true }).count()).toBeGreaterThan(5);

    // 3.5: attempts go on until the device itself reports the effect.
    const device = await listen('lights', 'light-01', keys[0] ?? '');
    await soon(() => device.messages.length).toBe(1);
    await device.answer(device.messages[0] as Message);
    await device.report({ relay: 0 });
    const retry_until = { options: { op: '==', column: 'relay', value: 1 } };
    await soon(async () => {
      const body = { name: 'Relay on', channel_id: 'lights', device_ids: ['light-01'], fport: 1, mode: 'push', payload: '01' };
      const reply = await client().call(commandsApi.create, {
        body: { ...body, retry_enabled: true, retry_count: 3, retry_until, retry_wait_seconds: 60 },
      });
      return reply.status;
    }).toBe(200);
    const commands = await client().get(commandsApi.list);
    const relay = (Array.isArray(commands) ? commands : commands.results).find(({ name }) => name === 'Relay on');
    await page.goto(`/commands/${relay?.id}`);
    await isSeen(page.getByText('Skip devices that report the effect already'));
    await page.getByRole('button', { name: 'Send now' }).click();
    await dialog(page, 'Send “Relay on”').getByRole('button', { name: 'Send to 1 device' }).click();
    await soon(() => device.messages.length).toBe(2);
    await device.report({ relay: 0 });
    // False on a later uplink: the next attempt follows after five seconds.
    await soon(() => device.messages.length).toBe(3);
    await device.report({ relay: 1 });
    await isSeen(deliveries(page).getByText('Effect seen', { exact: true }));

    // 3.7.7 and 3.7.4: too many firings suspend an event, and a value to be ready again at keeps it quiet.
    const each = await makeCommand('Blink', 'lights', ['light-02']);
    await page.goto(`/commands/${each.id}?tab=schedules`);
    await tab(page, 'Schedules').click();
    await page.getByRole('button', { name: 'New Event' }).click();
    const event = dialog(page, 'New Event');
    await event.getByLabel('Name').fill('Every flicker');
    await choose(page, event.getByLabel('Device', { exact: true }), 'Device light-01');
    await event.getByLabel('Attribute').fill('relay');
    await choose(page, event.getByLabel('Operator'), '>');
    await event.getByLabel('Value', { exact: true }).fill('0.5');
    await event.getByLabel('Ready again at').fill('0.2');
    await shot('event');
    await event.getByRole('button', { name: 'Create Event' }).click();
    await isSeen(notice(page, 'Schedule created successfully'));
    for (let n = 0; n < 12; n++) {
      await device.report({ relay: 0 });
      await device.report({ relay: 1 });
    }
    const resume = page.getByRole('button', { name: 'Resume Every flicker' });
    await isSeen(resume);
    await shot('suspended');
    await resume.click();
    await isGone(resume);
    await page.getByRole('button', { name: 'Runs Every flicker' }).click();
    const runs = dialog(page, 'Runs of Every flicker');
    await isSeen(runs.getByText('Sent', { exact: true }).first());
    await shot('runs');
    await soon(() => accessibilityFaults(page)).toEqual([]);
    await runs.getByRole('button', { name: 'Close' }).last().click();
    await isGone(runs);
  }),
);
