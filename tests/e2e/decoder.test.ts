import { channelsApi, devicesApi, retentionMessage } from '@telltale/domain/channels/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { expect, test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { consoleWithBroker, rowOf, tab } from './support/devices.ts';
import { dialog, isGone, isSeen, notice, soon } from './support/screen.ts';

const { account, client, here, connect, url } = consoleWithBroker('decoder');

const codec = `// as published
export function decodeUplink(input) {
  return { data: { temp: input.bytes[0] / 2 } };
}
`;

test(
  'iot-behaviour 4.2: from bytes nobody reads to a decoder, its examples, its versions and history decoded again',
  here('decoder', async ({ page, shot, faults, visit }) => {
    // What is refused on purpose.
    faults.allow(/400 .*\/api\/channels\/soil\/decoder/);
    await client().get(channelsApi.create, { body: { channel_id: 'soil', channel_name: 'Soil' } });
    const { api_key } = await client().get(devicesApi.create, {
      params: { id: 'soil' },
      body: { device_id: 'field-1', device_name: 'Field 1' },
    });
    const device = await connect('soil', 'field-1', api_key);
    for (const byte of [40, 42, 44]) await device.publishAsync('v1/me/up/raw/2', Buffer.from([byte]), { qos: 1 });

    await page.goto('/mqtt/soil');
    await tab(page, 'Decoder').click();
    await isSeen(page.getByText('No decoder: bytes are stored as they are.'));
    await page.getByRole('button', { name: 'Use template' }).click();
    const editor = page.getByLabel('Decoder script. Press Escape to leave the editor.');
    await isSeen(editor.getByText('function decodeUplink'));
    const bytes = page.getByLabel('Bytes', { exact: true });
    await bytes.fill('00d7 5a');
    await page.getByRole('button', { name: 'Run test' }).click();
    const result = page.getByRole('status', { name: 'Result' });
    await isSeen(result.getByText('"temperature": 21.5'));
    await isSeen(result.getByText(/^\d+(\.\d+)? ms$/));
    await bytes.fill('xyz!');
    await isSeen(page.getByText('Hex or base64, such as 00d7 5a or ANda'));

    // A file from a repository of codecs replaces it; what came in shows that it works.
    await page.getByLabel('Codec file').setInputFiles({ name: 'soil.js', mimeType: 'text/javascript', buffer: Buffer.from(codec) });
    await isSeen(notice(page, 'Imported soil.js: decodeUplink'));
    await page.getByRole('button', { name: 'Run on last 20 uplinks' }).click();
    await isSeen(page.getByText('3 of 3 decoded'));
    await isSeen(page.getByText('{"temp":22}'));
    await bytes.fill('2a');
    await page.getByRole('button', { name: 'Run test' }).click();
    await isSeen(result.getByText('"temp": 21'));
    await page.getByRole('button', { name: 'Keep as example' }).click();
    await isSeen(page.getByText('Example 1'));
    await page.getByRole('button', { name: 'Save decoder' }).click();
    await isSeen(notice(page, 'Decoder saved as version 1'));
    await isSeen(page.getByText(/^Version 1, saved/));
    await shot('saved');
    await device.publishAsync('v1/me/up/raw/2', Buffer.from([50]), { qos: 1 });

    // History: what would change, then the run with its figures.
    await page.getByRole('button', { name: 'Preview' }).click();
    await isSeen(page.getByRole('button', { name: 'Re-decode 4 messages' }));
    await soon(() => page.getByLabel('What would change').innerText()).toMatch(/Added\s*3\s*Changed\s*0\s*Gone\s*0/);
    await shot('preview');
    await page.getByRole('button', { name: 'Re-decode 4 messages' }).click();
    await isSeen(page.getByText(/^Decoded again/));
    await isSeen(page.getByText('4 messages: 3 added, 0 changed, 0 gone'));

    // A mistake is refused in its line; an example that fails asks first.
    await editor.fill('function decodeUplink(input) {\n  return { data: }\n}');
    await page.getByRole('button', { name: 'Save decoder' }).click();
    await isSeen(page.getByText(/^The script cannot be used: SyntaxError/).first());
    await isSeen(page.locator('.cm-lint-marker-error'));
    await editor.fill('function decodeUplink(input) {\n  return { data: { temperature: input.bytes[0] / 2 } };\n}');
    await page.getByRole('button', { name: 'Save decoder' }).click();
    const question = dialog(page, 'An example fails');
    await isSeen(question.getByText(/The example “Example 1” does not give what is expected\./));
    await shot('example-fails');
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await isSeen(notice(page, 'Decoder saved as version 2'));
    await isGone(question);
    await page.getByRole('button', { name: 'Preview' }).click();
    await soon(() => page.getByLabel('What would change').innerText()).toMatch(/Added\s*4\s*Changed\s*0\s*Gone\s*4/);

    // Both versions are kept, and the first can be had back.
    await page.getByRole('button', { name: 'Versions' }).click();
    const versions = dialog(page, 'Versions');
    await versions.getByRole('button', { name: /^1 / }).click();
    await isSeen(versions.getByText('Version 1 (−) and editor (+)'));
    await shot('versions');
    await versions.getByRole('button', { name: 'Put this version into the editor' }).click();
    await isGone(versions);
    await isSeen(editor.getByText('// as published'));
    await soon(() => accessibilityFaults(page)).toEqual([]);

    // What was decoded is a reading like any other.
    await page.goto('/mqtt/soil/devices/field-1?tab=data');
    await isSeen(rowOf(page, 'temp').getByText('25'));

    for (const look of [{ width: 390, height: 844 }, { theme: 'dark' as const }, { width: 390, height: 844, theme: 'dark' as const }]) {
      const other = await visit({ as: account, url: url(), ...look });
      await other.page.goto('/mqtt/soil?tab=decoder');
      await isSeen(other.page.getByLabel('Decoder script. Press Escape to leave the editor.'));
      await other.page.getByLabel('Bytes', { exact: true }).fill('2a');
      await other.page.getByRole('button', { name: 'Run test' }).click();
      await isSeen(other.page.getByRole('status', { name: 'Result' }));
      await other.page.getByRole('button', { name: 'Preview' }).click();
      await isSeen(other.page.getByLabel('What would change'));
      await other.shot('tab');
      await other.page.getByRole('heading', { name: 'Re-decode history' }).scrollIntoViewIfNeeded();
      await other.shot('history');
      await soon(() => overflow(other.page)).toEqual([]);
    }
  }),
);

test(
  'iot-behaviour 4.3: a decoder that is paused says so, and who may not manage channels only reads',
  here('decoder-paused', async ({ page, shot }) => {
    await client().get(channelsApi.create, { body: { channel_id: 'loops' } });
    const { api_key } = await client().get(devicesApi.create, {
      params: { id: 'loops' },
      body: { device_id: 'loop-1', device_name: 'Loop' },
    });
    await client().get(decodersApi.save, { params: { id: 'loops' }, body: { script: 'function decodeUplink() { for (;;); }' } });
    const device = await connect('loops', 'loop-1', api_key);
    await Promise.all(Array.from({ length: 25 }, () => device.publishAsync('v1/me/up/raw/1', Buffer.from([1]), { qos: 1 })));
    await page.goto('/mqtt/loops?tab=decoder');
    await isSeen(page.getByText(/^The decoder took too long too often and is paused/));
    await page.getByLabel('Bytes', { exact: true }).fill('01');
    await page.getByRole('button', { name: 'Run test' }).click();
    await isSeen(page.getByRole('status', { name: 'Result' }).getByText(/^decoder_timeout: /));
    await shot('paused');
  }),
);

test(
  'iot-behaviour 4.1 and 1.8: variables of a device reach its decoder, and a channel keeps readings as long as it says',
  here('device-settings', async ({ page, shot }) => {
    await client().get(channelsApi.create, { body: { channel_id: 'tanks', channel_name: 'Tanks' } });
    const params = { id: 'tanks' };
    const { api_key } = await client().get(devicesApi.create, { params, body: { device_id: 'tank-1', device_name: 'Tank 1' } });
    const script = 'function decodeUplink(input) { return { data: { level: input.bytes[0] + Number(input.variables.offset) } }; }';
    await client().get(decodersApi.save, { params, body: { script } });

    await page.goto('/mqtt/tanks/devices/tank-1');
    await tab(page, 'General settings').click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const edit = dialog(page, 'Edit Device');
    await edit.getByLabel('Device Name').fill('Tank of the dairy');
    await edit.getByLabel('Online Window (minutes)').fill('0');
    await edit.getByLabel('Variables').fill('offset = -1.5');
    await edit.getByRole('button', { name: 'Save' }).click();
    await isSeen(edit.getByRole('alert').first());
    await edit.getByLabel('Online Window (minutes)').fill('90');
    await edit.getByRole('button', { name: 'Save' }).click();
    await isGone(edit);
    await isSeen(page.getByRole('heading', { name: 'Tank of the dairy' }));
    const device = await client().get(devicesApi.get, { params: { id: 'tanks', deviceId: 'tank-1' } });
    expect(device).toMatchObject({ online_window_seconds: 5400, variables: { offset: '-1.5' } });
    const session = await connect('tanks', 'tank-1', api_key);
    await session.publishAsync('v1/me/up/raw/1', Buffer.from([10]), { qos: 1 });
    await tab(page, 'Data').click();
    await isSeen(rowOf(page, 'level').getByText('8.5'));

    // The test panel takes variables of its own, a run on real uplinks those of their devices.
    await page.goto('/mqtt/tanks?tab=decoder');
    await page.getByLabel('Bytes', { exact: true }).fill('0a');
    const variables = page.getByLabel('Variables');
    await variables.fill('offset');
    await isSeen(page.getByRole('alert').first());
    expect(await page.getByRole('button', { name: 'Run test' }).isDisabled()).toBe(true);
    await variables.fill('offset = 20');
    await page.getByRole('button', { name: 'Run test' }).click();
    await isSeen(page.getByRole('status', { name: 'Result' }).getByText('"level": 30'));
    expect(await page.getByRole('button', { name: 'Keep as example' }).count()).toBe(0);
    await shot('variables');
    await page.getByRole('button', { name: 'Run on last 20 uplinks' }).click();
    await isSeen(page.getByText('{"level":8.5}'));

    // A command is encoded for each device; one that the encoder refuses is named before anything is sent.
    await client().get(devicesApi.create, { params, body: { device_id: 'tank-2', device_name: 'Tank 2' } });
    const encoder = `${script} function encodeDownlink(input) {
      if (!input.variables.offset) return { errors: ['Nobody has written down how far the float of this tank is off'] };
      return { bytes: [input.data.level - input.variables.offset * 2] };
    }`;
    await client().get(decodersApi.save, { params, body: { script: encoder } });
    const body = { name: 'Fill', channel_id: 'tanks', device_ids: ['tank-1', 'tank-2'], payload: '{"level":10}', mode: 'push', fport: 1 };
    const command = await client().get(commandsApi.create, { body });
    await page.goto(`/commands/${command.id}`);
    await page.getByRole('button', { name: 'Send now' }).click();
    const send = dialog(page, 'Send “Fill”');
    await isSeen(send.getByText('0D', { exact: true }));
    await isSeen(send.getByText(/Nobody has written down how far the float of this tank is off$/));
    await shot('encoded-preview');
    await send.getByRole('button', { name: 'Send to 1 device' }).click();
    await isGone(send);
    await isSeen(page.getByText(/Nobody has written down/));

    await page.goto('/mqtt/tanks');
    await tab(page, 'General settings').click();
    const days = page.getByLabel('Keep readings for');
    await days.fill('401');
    await isSeen(page.getByText(retentionMessage));
    expect(await page.getByRole('button', { name: 'Save retention' }).isDisabled()).toBe(true);
    await days.fill('30');
    await page.getByRole('button', { name: 'Save retention' }).click();
    const question = dialog(page, 'Shorten Retention');
    await isSeen(question.getByText('Readings older than 30 days will be deleted. This cannot be undone.'));
    await shot('retention');
    await question.getByRole('button', { name: 'Delete older readings' }).click();
    await isGone(question);
    await soon(async () => (await client().get(channelsApi.get, { params })).settings.retention_days).toBe(30);
  }),
);
