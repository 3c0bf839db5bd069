import { devicesApi } from '@telltale/domain/channels/contract.ts';
import { expect, test } from 'vitest';
import { makeQuery } from './support/dashboards.ts';
import { fileConsole } from './support/file-console.ts';
import { journey } from './support/journey.ts';
import { Hands } from './support/keyboard.ts';
import { admin, adminClient } from './support/people.ts';
import { cell } from './support/queries.ts';
import { dialog, isGone, isSeen, placeOf, soon } from './support/screen.ts';

/** A device reports over HTTP. */
async function report(channelId: string, deviceId: string, values: object): Promise<void> {
  const { api_key } = await (await adminClient()).get(devicesApi.get, { params: { id: channelId, deviceId } });
  const reply = await fetch(`${(await fileConsole()).url}/api/v1/${channelId}/devices/${deviceId}/up`, {
    method: 'POST',
    headers: { authorization: `Key ${api_key}` },
    body: JSON.stringify(values),
  });
  expect(reply.ok).toBe(true);
}

test(
  'issue 20: the main tasks are done by keyboard alone, and the focus can be seen all the way',
  journey('keyboard', async ({ page, shot }) => {
    const { name: known } = await makeQuery('Stations without a mouse');
    await makeQuery('The newest one');
    const hands = new Hands(page);
    const { email, password } = admin();
    const isReady = (title: string, button: string) =>
      soon(() => dialog(page, title).getByRole('button', { name: button }).isEnabled()).toBe(true);

    // Sign in.
    await page.goto('/login');
    await isSeen(page.getByLabel('Email'));
    await hands.to(/^Email/);
    await hands.write(email);
    await hands.to(/^Password/);
    await hands.write(password);
    await hands.press('Enter');
    await soon(() => placeOf(page)).toBe('/');

    // Search everywhere.
    await isSeen(page.getByRole('button', { name: 'Search everywhere' }));
    await hands.openAtOnce(known);
    await isSeen(page.getByRole('heading', { name: known }));

    // Create a channel and a device.
    await hands.open('New Channel', 'Create');
    await isSeen(dialog(page, 'Add Channel'));
    await hands.to(/^Channel ID/);
    await hands.write('keys-only');
    await hands.to(/^Channel Name/);
    await hands.write('Keys only');
    await isReady('Add Channel', 'Add Channel');
    await hands.press('Enter');
    await soon(() => placeOf(page)).toBe('/mqtt/keys-only');
    await isGone(dialog(page, 'Add Channel'));
    await isSeen(page.getByRole('button', { name: 'Add Device' }));
    await hands.activate(/^Add Device/);
    await isSeen(dialog(page, 'Add Device'));
    await hands.to(/^Device ID/);
    await hands.write('key-1');
    await hands.to(/^Device Name/);
    await hands.write('Key sensor');
    await isReady('Add Device', 'Add Device');
    await hands.press('Enter');
    await soon(() => placeOf(page)).toBe('/mqtt/keys-only/devices/key-1?tab=settings');
    await isGone(dialog(page, 'Add Device'));

    // Look at what the device reports.
    await report('keys-only', 'key-1', { temperature: 21.5, humidity: 40 });
    await hands.open('Key sensor', 'Device');
    await isSeen(page.getByRole('button', { name: 'temperature' }));
    await hands.activate(/^temperature/);
    const history = page.getByRole('region', { name: 'History of temperature' });
    await isSeen(history);
    await hands.to(/^1 h/);
    await hands.press('ArrowLeft');
    await soon(() => history.getByRole('radio', { name: '15 min' }).isChecked()).toBe(true);
    await shot('explore');

    // Write a query, run it, save it under a name.
    await hands.open('New Query', 'Create');
    await isSeen(page.locator('.cm-content'));
    await hands.to(/^Query text/);
    await hands.press('Control+a');
    await hands.write('select 1 as room, 21.5 as temp union all select 2, 19.5');
    await hands.press('Control+Enter');
    await isSeen(cell(page, '19.50'));
    await hands.press('Control+s');
    await soon(() => placeOf(page)).toMatch(/^\/queries\/\d+\/source$/);
    await hands.activate(/^Edit Query name/);
    await hands.to(/^Query name/);
    await hands.press('Control+a');
    await hands.write('Rooms by keyboard');
    await hands.press('Enter');
    await isSeen(page.getByRole('heading', { name: 'Rooms by keyboard' }));

    // Add a visualization. The name has published the query.
    await hands.activate(/^Add Visualization/);
    const editor = dialog(page, 'Visualization Editor');
    await isSeen(editor.getByRole('button', { name: 'Save' }));
    await hands.activate(/^Save$/);
    await isGone(editor);
    await isSeen(page.getByRole('navigation', { name: 'Visualizations' }));

    // Create a dashboard with a widget.
    await hands.open('New Dashboard', 'Create');
    await isSeen(dialog(page, 'New Dashboard'));
    await hands.to(/^Dashboard Name/);
    await hands.write('Rooms on a board');
    await isReady('New Dashboard', 'Save');
    await hands.press('Enter');
    await isSeen(page.getByRole('button', { name: 'Add Widget' }));
    await isGone(dialog(page, 'New Dashboard'));
    await hands.activate(/^Add Widget/);
    const widget = dialog(page, 'Add Widget');
    await isSeen(widget.getByRole('button', { name: 'Rooms by keyboard' }));
    await hands.activate(/^Rooms by keyboard/);
    await soon(() => widget.getByRole('button', { name: 'Add to Dashboard' }).isEnabled()).toBe(true);
    await hands.activate(/^Add to Dashboard/);
    await isGone(widget);
    await isSeen(page.getByRole('article').first());
    await hands.activate(/^Done Editing/);
    await soon(() => placeOf(page)).not.toContain('edit');
    await shot('dashboard');

    // Create an alert.
    await hands.open('New Alert', 'Create');
    await isSeen(page.getByRole('combobox', { name: 'Query', exact: true }));
    await hands.choose(/^Query/, 'Rooms by keyboard');
    await soon(() => page.getByRole('button', { name: 'Create Alert' }).isEnabled()).toBe(true);
    await hands.activate(/^Create Alert/);
    await soon(() => placeOf(page)).toMatch(/^\/alerts\/\d+$/);

    // Create a command and send it.
    await hands.open('New Command', 'Create');
    const downlink = dialog(page, 'Downlink');
    await isSeen(downlink);
    await hands.to(/^Name/);
    await hands.write('Blink');
    await hands.choose(/^Channel/, 'Keys only');
    await hands.choose(/^Devices/, 'Key sensor');
    await hands.to(/^Payload/);
    await hands.write('0102');
    await hands.activate(/^Create Command/);
    await soon(() => placeOf(page)).toMatch(/^\/commands\/\d+$/);
    await isGone(downlink);
    await hands.activate(/^Send now/);
    await isSeen(page.getByRole('button', { name: 'Send to 1 device' }));
    await hands.activate(/^Send to 1 device/);
    await isSeen(page.getByRole('region', { name: 'Deliveries' }).getByText('Key sensor'));
    await shot('command');

    // Invite a person.
    await hands.open('Users', 'Settings');
    await isSeen(page.getByRole('button', { name: 'New User' }));
    await hands.activate(/^New User/);
    await isSeen(dialog(page, 'Create a New User'));
    await hands.to(/^Name/);
    await hands.write('Kim Keys');
    await hands.to(/^Email/);
    await hands.write('kim.keys@people.example');
    await hands.press('Enter');
    await isSeen(dialog(page, 'Email not sent!').or(page.getByRole('link', { name: 'Kim Keys' })));
    expect([...hands.unseen]).toEqual([]);
  }),
);
