import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { identifierMessage } from '@telltale/domain/channels/identifiers.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import mqtt from 'mqtt';
import type { WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { TestClient } from '../../server/testing/client.ts';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { consoleWithBroker, failing, rowOf, tab } from './support/devices.ts';
import { cell, choose, write } from './support/queries.ts';
import { dialog, dismiss, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const { account, client, here, connect, aDevice, url } = consoleWithBroker('mqtt', {}, 'Pacific/Kiritimati');

test(
  'D2: from the first channel to a value in the query editor',
  here('mqtt', async ({ page, shot, faults, visit }) => {
    await page.goto('/mqtt');
    await isSeen(page.getByRole('heading', { name: 'Mqtt Channels' }));
    await isSeen(page.getByText('No channels yet'));
    await shot('no-channels');
    await page.getByRole('button', { name: 'Add Channel' }).first().click();

    // D5: told while one types, in its words; OK waits.
    const add = dialog(page, 'Add Channel');
    const ok = add.getByRole('button', { name: 'Add Channel' });
    await soon(() => ok.isDisabled()).toBe(true);
    await add.getByLabel('Channel ID').fill('Weather Stations');
    await isSeen(add.getByText(identifierMessage));
    await soon(() => ok.isDisabled()).toBe(true);
    await shot('identifier');
    await add.getByLabel('Channel ID').fill('weather');
    await add.getByLabel('Channel Name').fill('Weather <b>stations</b>');
    await add.getByLabel('Channel Name').press('Enter');
    await isGone(add);
    await soon(() => placeOf(page)).toBe('/mqtt/weather');
    await isSeen(page.getByRole('heading', { name: 'Weather <b>stations</b>' }));
    await isSeen(page.getByText('No devices in this channel yet'));

    await page.getByRole('button', { name: 'Add Device' }).first().click();
    const addDevice = dialog(page, 'Add Device');
    await addDevice.getByLabel('Device ID').fill('roof-1');
    await soon(() => addDevice.getByRole('button', { name: 'Add Device' }).isDisabled()).toBe(true);
    await addDevice.getByLabel('Device Name').fill('Roof, north');
    await addDevice.getByRole('button', { name: 'Add Device' }).click();
    await isSeen(notice(page, 'Device Added'));
    await soon(() => placeOf(page)).toBe('/mqtt/weather/devices/roof-1?tab=settings');

    // D2: the details, each to be copied; the key from the screen opens the broker.
    await soon(() => page.getByLabel('Publish Topic', { exact: true }).inputValue()).toBe('v1/weather/devices/roof-1/up');
    await soon(() => page.getByLabel('Subscribe Topic', { exact: true }).inputValue()).toBe('v1/weather/devices/roof-1/down');
    for (const what of ['Device ID', 'Name', 'API Key', 'Publish Topic', 'Subscribe Topic', 'Created At'])
      await isSeen(page.getByRole('button', { name: `Copy ${what}`, exact: true }));
    await page.getByRole('button', { name: 'Show API Key' }).click();
    const api_key = await page.getByLabel('API Key', { exact: true }).inputValue();
    expect(api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    await isSeen(page.getByText('mosquitto_pub -h').first());
    await shot('details');
    await page.getByText('Python', { exact: true }).click();
    await isSeen(page.getByText('import paho.mqtt.client as mqtt').first());

    await tab(page, 'Data').click();
    await isSeen(page.getByText('This device has not reported yet.'));
    await isSeen(page.getByText('Live', { exact: true }));
    const device = await connect('weather', 'roof-1', api_key);
    await device.publishAsync('v1/weather/devices/roof-1/up', '{"temperature":20.5,"humidity":44,"door":true,"mode":"eco"}', { qos: 1 });
    await isSeen(rowOf(page, 'temperature').getByText('20.5'));
    await isSeen(rowOf(page, 'door').getByText('true'));
    await isSeen(page.getByText('Connected', { exact: true }));

    // 1.11: an uplink is on the open page soon after it is acknowledged.
    const late: number[] = [];
    for (const temperature of [21.25, 22.25, 23.25]) {
      const begun = Date.now();
      await device.publishAsync('v1/weather/devices/roof-1/up', JSON.stringify({ temperature }), { qos: 1 });
      await rowOf(page, 'temperature').getByText(String(temperature)).waitFor();
      late.push(Date.now() - begun);
    }
    console.log(`uplink to screen: ${late.join(', ')} ms`);
    expect(Math.min(...late)).toBeLessThan(1500);
    await device.publishAsync('v1/weather/devices/roof-1/up', 'this is no reading', { qos: 1 });
    await isSeen(page.getByRole('list', { name: 'Messages' }).getByText('this is no reading'));
    await shot('data');
    await soon(() => accessibilityFaults(page)).toEqual([]);

    await page.getByLabel('Search Messages').fill('22.25');
    await soon(() => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count()).toBe(1);
    await page.getByLabel('Search Messages').fill('nowhere to be found');
    await isSeen(page.getByText("Sorry, we couldn't find anything."));
    await page.getByLabel('Search Messages').fill('');

    // D2: the ready-made live grid, for the user named admin.
    await tab(page, 'Dashboard').click();
    const tile = page.getByRole('article', { name: 'temperature', exact: true });
    await isSeen(tile.getByText('23.25'));
    await isSeen(page.getByRole('article', { name: 'Live uplinks' }).getByText('Live', { exact: true }));
    await device.publishAsync('v1/weather/devices/roof-1/up', '{"temperature":24.5}', { qos: 1 });
    await isSeen(tile.getByText('24.5'));
    await isSeen(page.getByRole('article', { name: 'Live uplinks' }).getByText('24.5'));
    await shot('dashboard');
    faults.allow(/500 .*\/dashboard/);
    await failing(page, '**/devices/roof-1/dashboard', 'POST');
    const before = await tile.boundingBox();
    const drag = async () => {
      const box = await tile.locator('header').boundingBox();
      if (!box) throw new Error('There is no tile.');
      await page.mouse.move(box.x + 40, box.y + 8);
      await page.mouse.down();
      await page.mouse.move(box.x + 300, box.y + 300, { steps: 8 });
      await page.mouse.move(box.x + 310, box.y + 310, { steps: 4 });
      await page.mouse.up();
    };
    await drag();
    await isSeen(notice(page, 'Widget cannot be updated'));
    await soon(async () => (await tile.boundingBox())?.x).toBe(before?.x);
    await page.unrouteAll();
    // By keyboard as well, and kept.
    await page.getByRole('button', { name: 'Move temperature' }).focus();
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight');
    const isRight = async () => ((await tile.boundingBox())?.x ?? 0) > (before?.x ?? 0) + 100;
    await soon(isRight).toBe(true);
    await soon(async () =>
      (await client().get(deviceDataApi.layout, { params: { id: 'weather', deviceId: 'roof-1' } })).widgets.find(
        ({ attribute }) => attribute === 'temperature',
      ),
    ).toMatchObject({ col: 2 });
    await page.reload();
    await soon(isRight).toBe(true);

    await tab(page, 'Downlink').click();
    await isSeen(page.getByText('mosquitto_sub').first());
    await shot('downlink');

    // 1.7: that it goes is seen at once, here and in the list.
    await isSeen(page.getByText('Connected', { exact: true }));
    const { page: list } = await visit({ as: account, url: url() });
    await list.goto('/mqtt/weather');
    await isSeen(list.getByText('Connected', { exact: true }));
    await device.endAsync();
    await isSeen(page.getByText('Reporting', { exact: true }));
    await isSeen(list.getByText('Reporting', { exact: true }));

    // The same value in SQL.
    await page.goto('/queries/new');
    await write(page, "select device_id, attribute, value from app.metric where attribute = 'temperature' and value = 24.5");
    await page.getByRole('button', { name: 'Execute' }).click();
    await isSeen(cell(page, 'roof-1'));
    await isSeen(cell(page, '24.50'));
    await shot('sql');
  }),
);

test(
  'Q8: a query over devices, without writing SQL',
  here('mqtt-query', async ({ page, shot }) => {
    const device = await aDevice('garden', 'bed-1');
    const session = await connect('garden', 'bed-1', device.api_key);
    await session.publishAsync(device.publish_topic, '{"moisture":31,"light":900}', { qos: 1 });
    await page.goto('/queries');
    await page.getByRole('button', { name: 'More ways to add a query' }).first().click();
    await page.getByRole('menuitem', { name: 'From device data…' }).click();
    const ask = dialog(page, 'New Query');
    await ask.getByLabel('Name').fill('Garden');
    await choose(page, ask.getByLabel('Channel'), 'Channel garden');
    await choose(page, ask.getByLabel('Devices'), 'Device bed-1');
    await page.keyboard.press('Escape');
    await isGone(page.locator('.ant-select-dropdown:visible'));
    await choose(page, ask.getByLabel('Attributes'), 'moisture');
    await page.keyboard.press('Escape');
    await isGone(page.locator('.ant-select-dropdown:visible'));
    await shot('dialog');
    await ask.getByRole('button', { name: 'Create query' }).click();
    await isSeen(notice(page, 'Query created Successfully'));
    await page.getByRole('button', { name: 'Execute' }).click();
    // It opens with its chart.
    await soon(() => page.getByRole('link', { name: 'Chart', exact: true }).getAttribute('aria-current')).toBe('page');
    await page.getByRole('link', { name: 'Table', exact: true }).click();
    await isSeen(cell(page, '31.00'));
  }),
);

test(
  'iot-behaviour 1.2: a gateway reports with the key of its channel, and devices it brings along are made',
  here('mqtt-gateway', async ({ page, shot }) => {
    await aDevice('field', 'probe-1');
    await page.goto('/mqtt/field?tab=settings');
    await page.getByRole('button', { name: 'Create key' }).click();
    await isSeen(notice(page, 'Key created'));
    const key = page.getByLabel('API Key', { exact: true });
    await soon(() => key.getAttribute('type')).toBe('password');
    await isSeen(page.getByRole('button', { name: 'Copy API Key' }));
    const api_key = await key.inputValue();
    const { mqtt_address } = await client().get(devicesApi.get, { params: { id: 'field', deviceId: 'probe-1' } });
    const gateway = (password: string) => mqtt.connectAsync(mqtt_address ?? '', { username: 'field', password, reconnectPeriod: 0 });
    const session = await gateway(api_key);
    const publish = (device: string) => session.publishAsync(`v1/field/devices/${device}/up`, '{"depth":12}', { qos: 1 });
    const known = async () => (await client().get(channelsApi.get, { params: { id: 'field' } })).device_count;
    await publish('probe-2');
    await soon(() => known()).toBe(1);

    const unknown = page.getByRole('switch', { name: 'Create unknown devices' });
    await unknown.click();
    await isSeen(notice(page, 'Channel updated Successfully'));
    await soon(() => unknown.isChecked()).toBe(true);
    await soon(() => page.getByRole('switch', { name: 'ThingsBoard topics' }).isChecked()).toBe(false);
    await shot('settings');
    await soon(() => accessibilityFaults(page)).toEqual([]);
    await soon(async () => {
      await publish('probe-3');
      return known();
    }).toBe(2);
    await tab(page, 'Devices').click();
    await isSeen(page.getByText('probe-3').first());

    await tab(page, 'General settings').click();
    const closed = new Promise<void>((resolve) => session.once('close', () => resolve()));
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await dialog(page, 'Rotate API Key').getByRole('button', { name: 'Rotate key' }).click();
    await isSeen(notice(page, 'Key rotated'));
    await closed;
    await soon(() => key.inputValue()).not.toBe(api_key);
    const next = await gateway(await key.inputValue());
    await page.getByRole('button', { name: 'Remove key' }).click();
    const ended = new Promise<void>((resolve) => next.once('close', () => resolve()));
    await shot('remove');
    await dialog(page, 'Remove API Key').getByRole('button', { name: 'Remove key' }).click();
    await isSeen(notice(page, 'Key removed'));
    await ended;
    await isSeen(page.getByRole('button', { name: 'Create key' }));
  }),
);

test(
  'D8: what can be said of channels and devices is said, word for word',
  here('mqtt-messages', async ({ page, faults, shot }) => {
    await aDevice('words', 'one-1');
    faults.allow(/(400|500) .*\/api\/channels/);
    await page.goto('/mqtt/words');

    await page.getByRole('button', { name: 'Add Device' }).click();
    const addDevice = dialog(page, 'Add Device');
    await addDevice.getByLabel('Device ID').fill('one-1');
    await addDevice.getByLabel('Device Name').fill('Again');
    await addDevice.getByRole('button', { name: 'Add Device' }).click();
    await isSeen(addDevice.getByText('There is already a device with the id "one-1" in this channel.'));
    await shot('taken');
    await addDevice.getByRole('button', { name: 'Cancel' }).click();
    await isGone(addDevice);

    await page.getByLabel('Search Devices').fill('nothing like it');
    await isSeen(page.getByText("Sorry, we couldn't find anything."));

    await tab(page, 'General settings').click();
    const save = page.getByRole('button', { name: 'Save Changes' });
    await soon(() => save.isDisabled()).toBe(true);
    await soon(() => page.getByLabel('Channel ID').getAttribute('readonly')).not.toBeNull();
    await failing(page, '**/api/channels/words', 'POST');
    await page.getByLabel('Channel Name').fill('Renamed');
    await save.click();
    await isSeen(notice(page, 'Error Occured while update the Channel'));
    await soon(() => notice(page, 'Error Occured while update the Channel').textContent()).toBe('Error Occured while  update the  Channel');
    await page.unrouteAll();
    await save.click();
    await isSeen(notice(page, 'Channel updated Successfully'));
    await isSeen(page.getByRole('heading', { name: 'Renamed' }));
    await soon(() => save.isDisabled()).toBe(true);
    await shot('settings');

    // The device of the channel.
    await page.goto('/mqtt/words/devices/one-1?tab=settings');
    const old = await page.getByLabel('API Key', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await dialog(page, 'Rotate API Key').getByRole('button', { name: 'Rotate key' }).click();
    await isSeen(notice(page, 'Key rotated'));
    await soon(() => page.getByLabel('API Key', { exact: true }).inputValue()).not.toBe(old);
    await isGone(dialog(page, 'Rotate API Key'));
    const askDevice = async () => {
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog(page, 'Delete Device').getByRole('button', { name: 'Delete' }).click();
    };
    await failing(page, '**/api/channels/words/devices/one-1', 'DELETE');
    await askDevice();
    await isSeen(notice(page, 'The server is on fire.'));
    await dialog(page, 'Delete Device').getByRole('button', { name: 'Cancel' }).click();
    await isGone(dialog(page, 'Delete Device'));
    await page.unrouteAll();
    await askDevice();
    await isSeen(notice(page, 'Device deleted'));
    await soon(() => placeOf(page)).toBe('/mqtt/words');

    // The channel itself: a failure is notified in the exact words.
    await aDevice('words', 'two-2');
    await page.goto('/mqtt/words?tab=settings');
    await failing(page, '**/api/channels/words', 'DELETE');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const ask = dialog(page, 'Delete Channel');
    await isSeen(ask.getByText('Its 1 device goes with it', { exact: false }));
    await ask.getByRole('button', { name: 'Delete' }).click();
    await isSeen(notice(page, 'Error Occured while Delete Channel'));
    await isSeen(page.locator('.ant-notification-notice-error', { hasText: 'Error Occured while Delete Channel' }));
    await dismiss(page, 'Error Occured while Delete Channel');
    await page.unrouteAll();
    await ask.getByRole('button', { name: 'Delete' }).click();
    await isSeen(notice(page, 'Channel deleted'));
    await soon(() => placeOf(page)).toBe('/mqtt');
  }),
);

test(
  'iot-behaviour 5.2: devices come from CSV; what is wrong is shown by its line before anything is created',
  here('mqtt-import', async ({ page, faults, shot }) => {
    await aDevice('import', 'one-1');
    faults.allow(/400 .*\/import_devices/);
    await page.goto('/mqtt/import');
    await page.getByRole('button', { name: 'Import Devices' }).click();
    const add = dialog(page, 'Import Devices');
    const text = add.getByLabel('Devices as CSV');
    await soon(() => add.getByRole('button', { name: 'Create Devices' }).isDisabled()).toBe(true);

    await text.fill('device_id;name;tags\none-1;Again\nRoof 2;Roof, south\ntwo-1;Two;roof');
    await isSeen(add.getByText('Line 2: There is already a device with the id "one-1" in this channel.'));
    await isSeen(add.getByText(`Line 3: ${identifierMessage}`));
    await soon(() => add.getByRole('button', { name: 'Create Devices' }).isDisabled()).toBe(true);
    await shot('faults');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflow(page)).toEqual([]);
    await shot('faults-phone');
    await page.setViewportSize({ width: 1280, height: 800 });

    const csv = 'device_id;name;tags\r\nroof-1;"Roof; north";roof north\r\nroof-2;Roof, south;roof\r\n';
    await add.getByLabel('CSV file').setInputFiles({ name: 'roof.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await isSeen(add.getByText('2 devices will be created.'));
    await shot('ready');
    await add.getByRole('button', { name: 'Create 2 Devices' }).press('Enter');
    await isSeen(notice(page, '2 devices created.'));
    await isGone(add);
    await isSeen(page.getByRole('link', { name: 'Roof; north' }));
    await isSeen(page.getByRole('link', { name: 'Roof, south' }));
  }),
);

test(
  'D2, D9: lists of 20, the newest first, sorted by every column; each detail is copied, or says that it was not',
  here('mqtt-lists', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    for (let n = 0; n < 22; n++) await aDevice('lists', `dev-${String(n).padStart(2, '0')}`);
    await page.goto('/mqtt');
    const headers = async () => (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
    await isSeen(page.getByRole('columnheader', { name: 'ID' }));
    expect((await headers()).filter((text) => text !== 'Devices')).toEqual(['ID', 'Name', 'Created At']);
    const sorted = (name: string) => page.getByRole('columnheader', { name }).getAttribute('aria-sort');
    await soon(() => sorted('Created At')).toBe('descending');
    await page.getByRole('link', { name: 'lists', exact: true }).click();

    await isSeen(page.getByRole('link', { name: 'Device dev-21' }));
    expect((await headers()).filter((text) => !['State', 'Last values', 'Last Seen'].includes(text))).toEqual([
      'Name',
      'Api Key',
      'Created At',
    ]);
    const rows = () => page.locator('tbody tr').allInnerTexts();
    await soon(() => rows()).toHaveLength(20);
    expect((await rows())[0]).toContain('Device dev-21');
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await soon(async () => (await rows())[0]).toContain('Device dev-00');
    await page.getByLabel('Items per page').selectOption('50');
    await soon(async () => (await rows()).length).toBe(22);

    await page.getByRole('link', { name: 'Device dev-00' }).click();
    await soon(() => placeOf(page)).toBe('/mqtt/lists/devices/dev-00');
    await soon(() => page.getByRole('tab').allInnerTexts()).toEqual(['Downlink', 'Data', 'General settings', 'Dashboard']);
    await tab(page, 'General settings').click();
    const copy = page.getByRole('button', { name: 'Copy Publish Topic' });
    await copy.hover();
    await isSeen(page.getByRole('tooltip', { name: 'Copy', exact: true }));
    await copy.click();
    await isSeen(page.getByRole('tooltip', { name: 'Copied!' }));
    await soon(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe('v1/lists/devices/dev-00/up');
    await isGone(page.getByRole('tooltip', { name: 'Copied!' }));
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false");
    await copy.click();
    await isSeen(page.getByRole('tooltip', { name: 'Copy failed' }));
    await isGone(page.getByRole('tooltip', { name: 'Copy failed' }));
  }),
);

test(
  'design 8.1: a channel of the kind HTTP is made in the dialog; a network of it is a choice on its page',
  here('mqtt-http', async ({ page, shot }) => {
    await client().get(networksApi.create, { body: { name: 'Their platform', type: 'http', options: {} } });
    await page.goto('/mqtt');
    await page.getByRole('button', { name: 'Add Channel' }).first().click();
    const add = dialog(page, 'Add Channel');
    await add.getByLabel('Channel ID').fill('posted');
    await choose(page, add.getByLabel('Kind'), 'HTTP');
    await shot('kind');
    await add.getByRole('button', { name: 'Add Channel' }).click();
    await soon(() => placeOf(page)).toBe('/mqtt/posted');
    await tab(page, 'Network').click();
    await isSeen(page.getByText('its devices report by themselves'));
    await isGone(page.getByRole('alert'));
    await shot('network');
    await choose(page, page.getByLabel('Network', { exact: true }).and(page.getByRole('combobox')), 'Their platform');
    await soon(async () => (await client().get(channelsApi.get, { params: { id: 'posted' } })).settings.network_id).not.toBeNull();
  }),
);

test(
  'iot-behaviour 1.11: a broken live connection comes back by itself, with what was missed',
  here('mqtt-reconnect', async ({ page }) => {
    const device = await aDevice('restless', 'dev-1');
    const session = await connect('restless', 'dev-1', device.api_key);
    await session.publishAsync(device.publish_topic, '{"n":1}', { qos: 1 });
    const sockets: WebSocketRoute[] = [];
    let opening = Promise.resolve();
    await page.routeWebSocket(/\/api\/live/, async (socket) => {
      await opening;
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto('/mqtt/restless/devices/dev-1');
    await isSeen(page.getByText('Live', { exact: true }));
    const away = Promise.withResolvers<void>();
    opening = away.promise;
    await sockets.at(-1)?.close({ code: 4000 });
    await isSeen(page.getByText('Reconnecting…'));
    await session.publishAsync(device.publish_topic, '{"n":2}', { qos: 1 });
    away.resolve();
    await isSeen(page.getByText('Live', { exact: true }));
    expect(sockets).toHaveLength(2);
    await isSeen(rowOf(page, 'n').getByText('2', { exact: true }));
    await session.publishAsync(device.publish_topic, '{"n":3}', { qos: 1 });
    await isSeen(rowOf(page, 'n').getByText('3', { exact: true }));
  }),
);

test(
  'D6: who may only look sees no key and no way to change anything',
  here('mqtt-viewer', async ({ page, visit, shot }) => {
    const device = await aDevice('shown', 'dev-1');
    await page.goto('/');
    const group = await client()
      .json('POST', '/api/groups', { name: 'Lookers' })
      .then((reply) => reply.json() as Promise<{ id: number }>);
    await client().json('POST', `/api/groups/${group.id}`, { permissions: ['view_channel'] });
    const invited = (await (await client().json('POST', '/api/users', { name: 'Looker', email: 'looker@devices.example' })).json()) as {
      id: number;
      invite_link: string;
    };
    const looker = { email: 'looker@devices.example', password: 'only looking around' };
    await new TestClient(url()).json('POST', invited.invite_link, { password: looker.password });
    await client().json('POST', `/api/users/${invited.id}`, { group_ids: [group.id] });
    const { page: theirs } = await visit({ as: looker, url: url(), width: 390, theme: 'dark' });
    const session = await connect('shown', 'dev-1', device.api_key);
    for (let n = 0; n < 30; n++)
      await session.publishAsync(device.publish_topic, JSON.stringify({ temperature: 20 + Math.sin(n / 4), 'a.rather.long.name': n }), {
        qos: 1,
      });
    await theirs.goto('/mqtt');
    await isSeen(theirs.getByText('Channel shown'));
    await shot('channels', theirs);
    await theirs.goto('/mqtt/shown/devices/dev-1');
    await theirs.getByRole('button', { name: 'temperature', exact: true }).click();
    await isSeen(theirs.getByRole('img', { name: /temperature, \d+ points/ }));
    await soon(() => overflow(theirs)).toEqual([]);
    await soon(() => accessibilityFaults(theirs)).toEqual([]);
    await soon(() => theirs.getByRole('button', { name: 'Simulate Uplink' }).count()).toBe(0);
    await shot('data', theirs);
    await theirs.goto('/mqtt/shown');
    await isSeen(theirs.getByText('Device dev-1'));
    await soon(() => theirs.getByRole('button', { name: 'Add Device' }).count()).toBe(0);
    await soon(() => theirs.content()).not.toContain(device.api_key);
    await theirs.goto('/mqtt/shown/devices/dev-1?tab=settings');
    await isSeen(theirs.getByRole('button', { name: 'Copy Publish Topic', exact: true }));
    await soon(() => theirs.getByRole('button', { name: 'Copy API Key', exact: true }).count()).toBe(0);
    await soon(() => theirs.getByRole('button', { name: 'Rotate key' }).count()).toBe(0);
    await soon(() => theirs.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await soon(() => tab(theirs, 'Dashboard').count()).toBe(0);
    await soon(() => overflow(theirs)).toEqual([]);
    await shot('phone', theirs);
    await page.goto('/mqtt/shown');
    await isSeen(page.getByText('Device dev-1'));
    await shot('devices');
  }),
);

test(
  'iot-behaviour 5.1: a person sends an uplink in place of the device',
  here(
    'mqtt-simulate',
    async ({ page, shot, faults }) => {
      await aDevice('tried', 'dev-1');
      await page.goto('/mqtt/tried/devices/dev-1');
      await isSeen(page.getByText('Live', { exact: true }));
      const open = page.getByRole('button', { name: 'Simulate Uplink' }).first();
      await open.focus();
      await page.keyboard.press('Enter');
      const form = dialog(page, 'Simulate Uplink');
      const payload = form.getByLabel('Payload');
      await soon(() => payload.inputValue()).toContain('"temperature": 21.5');
      await soon(() => overflow(page)).toEqual([]);
      await soon(() => accessibilityFaults(page)).toEqual([]);
      await shot('dialog');
      // What a device would be told is told here.
      faults.allow(/400 .*\/simulate/);
      await payload.fill('{"temperature":');
      await form.getByRole('button', { name: 'Simulate Uplink' }).click();
      await isSeen(form.getByRole('alert'));
      await shot('refused');
      await payload.fill('{"temperature":19.25}');
      await form.getByRole('button', { name: 'Simulate Uplink' }).click();
      await isSeen(notice(page, 'Uplink simulated.'));
      await isGone(form);
      await isSeen(rowOf(page, 'temperature').getByText('19.25'));
      await isSeen(page.getByRole('list', { name: 'Messages' }).getByText('simulated, 21 bytes'));
      await soon(() => overflow(page)).toEqual([]);
      await shot('stored');
    },
    { width: 390, theme: 'dark' },
  ),
);
