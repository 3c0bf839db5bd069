import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const client = app.as(await app.make.user());
await makeDevices(app.ctx, 'valves', 1);
const create = (payload: string) =>
  client.call(commandsApi.create, {
    body: { name: 'Set', channel_id: 'valves', device_ids: ['d-00000'], fport: 2, mode: 'push', payload },
  });

test('iot-behaviour 2.7: an object goes through encodeDownlink of its channel, and what it refuses is refused', async () => {
  const script = `function encodeDownlink(input) {
    if (input.data.level > 9) return { errors: ['level is too high'] };
    return { bytes: [input.data.level, input.fPort], fPort: 15 };
  }`;
  await client.get(decodersApi.save, { params: { id: 'valves' }, body: { script } });
  const made = await create('{"level": 7}');
  const { deliveries } = await client.get(commandsApi.send, { params: { id: made.body.id }, body: { preview: true } });
  expect(deliveries).toMatchObject([{ device_id: 'd-00000', bytes_hex: '0702' }]);
  expect(await create('{"level": 10}')).toMatchObject({
    status: 400,
    message: 'The encoder of the channel cannot encode this: level is too high',
  });
  await client.get(decodersApi.save, { params: { id: 'valves' }, body: { script: 'function decodeUplink() {}' } });
  const plain = async () => {
    const { deliveries } = await client.get(commandsApi.send, { params: { id: made.body.id }, body: { preview: true } });
    return Buffer.from(deliveries[0]?.bytes_hex ?? '', 'hex').toString();
  };
  // The new script is known by a notification.
  await expect.poll(plain).toMatch(/level/);
});
