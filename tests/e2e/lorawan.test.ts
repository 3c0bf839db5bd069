import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { expect, test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { consoleWithBroker, tab } from './support/devices.ts';
import { choose } from './support/queries.ts';
import { dialog, isGone, isSeen, placeOf, soon } from './support/screen.ts';

const { client, here } = consoleWithBroker('lorawan');

test(
  'LoRaWAN: from a simulated network to a confirmed downlink that is acknowledged',
  here('lorawan', async ({ page, shot, faults }) => {
    // Nobody is asked for the ground under the map.
    await client().get(organizationApi.saveSettings, { body: { map_tiles: [] } });
    await page.goto('/console/channels');
    await isSeen(page.getByRole('heading', { name: 'LoRaWAN Channels' }));
    await isSeen(page.getByText('No LoRaWAN channels yet'));
    await shot('no-channels');

    // A network first: the dialog of three steps.
    await page.goto('/networks');
    await page.getByRole('button', { name: 'New Network' }).click();
    const create = dialog(page, 'Create a New Network');
    await create.getByText('Simulated network').click();
    await create.getByLabel('Name').fill('Field test');
    await create.getByLabel('Devices').fill('2');
    await create.getByLabel('Seconds Between Uplinks').fill('20');
    await create.getByLabel('Lost Frames in Percent').fill('0');
    await create.getByLabel('Speed of the Clock').fill('10');
    await shot('new-network');
    await create.getByRole('button', { name: 'Create' }).click();
    await isGone(create);
    await isSeen(page.getByRole('heading', { name: 'Field test' }));
    await isSeen(page.getByText('Connected'));
    await shot('network');

    await page.goto('/console/channels');
    await page.getByRole('button', { name: 'Add Channel' }).first().click();
    const add = dialog(page, 'Add Channel');
    await add.getByLabel('Channel ID').fill('field');
    await add.getByLabel('Channel Name').fill('Field sensors');
    await choose(page, add.getByLabel('Radio Metadata'), 'Full: frequency, airtime, gateways and more (up to 13 points)');
    await add.getByRole('button', { name: 'Add Channel' }).click();
    await isGone(add);
    await soon(() => placeOf(page)).toBe('/console/channels/field');

    // Devices come by themselves, and their uplinks are seen as they come.
    await isSeen(page.getByRole('link', { name: 'Simulated sensor 1' }));
    await tab(page, 'Live data').click();
    await soon(() => page.getByRole('list', { name: 'Uplinks' }).getByRole('listitem').count()).toBeGreaterThan(2);
    await isSeen(page.getByText(/temperature/).first());
    await shot('live');
    await tab(page, 'Network').click();
    await isSeen(page.getByRole('link', { name: 'Field test' }));
    await page.getByLabel('Messages per hour').fill('3600');
    await isSeen(page.getByText(/Too much air for a duty cycle of 1 %/));
    await shot('network-tab');

    await page.goto('/console/channels/field/devices/sim-01?tab=radio');
    await isSeen(page.getByRole('img', { name: /^RSSI, \d+ uplinks$/ }));
    await isSeen(page.getByText('sim-gateway-1').first());
    await isSeen(page.getByText('No gap in the frame counter.'));
    await shot('radio');

    // A confirmed downlink: sent in a receive window, acknowledged by the next uplink, and its effect in the one after.
    const body = {
      name: 'Light on',
      channel_id: 'field',
      device_ids: ['sim-01'],
      fport: 10,
      mode: 'push',
      confirm: true,
      payload: '{"led":true}',
    };
    const { id } = await client().get(commandsApi.create, { body });
    await tab(page, 'Downlink').click();
    await client().get(commandsApi.send, { params: { id }, body: {} });
    await isSeen(page.getByRole('region', { name: 'Log' }).getByText('Acknowledged', { exact: true }));
    await shot('acknowledged');
    await tab(page, 'Data').click();
    await isSeen(page.getByText('The device acknowledged a downlink').first());
    await shot('log');
    await soon(() => accessibilityFaults(page)).toEqual([]);

    // The list counts what came; LoRaWAN channels are not among those of MQTT.
    await page.goto('/console/channels');
    await isSeen(page.getByRole('link', { name: 'field', exact: true }));
    await isSeen(page.getByText('Field test'));
    await page.goto('/mqtt');
    await isSeen(page.getByText('No channels yet'));
    await page.goto('/mqtt/field/devices/sim-01');
    await soon(() => placeOf(page)).toBe('/console/channels/field/devices/sim-01');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of [
      '/console/channels',
      '/console/channels/field',
      '/console/channels/field/devices/sim-01?tab=radio',
      '/networks',
    ]) {
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      await soon(() => overflow(page)).toEqual([]);
    }
    expect(faults.list()).toEqual([]);
  }),
);

test(
  'iot-behaviour 2: a channel says that its network cannot be reached, and why',
  here('lorawan-unreachable', async ({ page, shot }) => {
    // Nobody listens on the port for tests of multiplexers.
    const options = { address: '127.0.0.1:1', tls: false, application_id: '3f9e2c1a-8d47-4b60-9c55-0a1b2c3d4e5f' };
    const network = await client().get(networksApi.create, { body: { name: 'Behind the hill', type: 'chirpstack', options } });
    const settings = { network_id: network.id };
    await client().get(channelsApi.create, { body: { channel_id: 'hill', kind: 'chirpstack', settings } });
    await soon(async () => (await client().get(channelsApi.get, { params: { id: 'hill' } })).has_network_error).toBe(true);
    await page.goto('/console/channels/hill');
    const warning = page.getByRole('alert').filter({ hasText: 'Telltale is not connected to the network' });
    await isSeen(warning.getByText(/127\.0\.0\.1/));
    await shot('warning');
    await warning.getByRole('link', { name: 'Behind the hill' }).click();
    await soon(() => placeOf(page)).toBe(`/networks/${network.id}`);
  }),
);
