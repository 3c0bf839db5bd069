import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testBroker } from '../../testing/broker.ts';
import { makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();
const broker = await testBroker(app, {}, { mostConnections: 2 });

test('iot-behaviour 1.1: who sends no CONNECT within 10 s of the accept is hung up on', async () => {
  const started = performance.now();
  const silent = connect({ host: '127.0.0.1', port: broker.port });
  // Bytes that never become a packet do not count as a CONNECT either (security 32, slow-loris).
  const slow = connect({ host: '127.0.0.1', port: broker.port });
  slow.write(Buffer.from([0x10]));
  await Promise.all(
    [silent, slow].map(
      (socket) =>
        new Promise((resolve) =>
          socket
            .on('error', () => {})
            .once('close', resolve)
            .resume(),
        ),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  expect(seconds).toBeGreaterThan(9);
  expect(seconds).toBeLessThan(40);
});

test('iot-behaviour 7.2: beyond the connection limit a device is refused, and accepted once another one has left', async () => {
  const [first, second, third] = await makeDevices(app.ctx, 'crowd', 3);
  if (!first || !second || !third) throw new Error('three devices are needed');
  const [one] = [await broker.device(first), await broker.device(second)];
  // CONNACK 3 says that the server is unavailable. Clients that are connected stay connected.
  await expect(broker.device(third)).rejects.toMatchObject({ code: 3 });
  expect(one.connected).toBe(true);
  // MQTT 5: 0x97, quota exceeded, with a sentence.
  const refused: unknown[] = [];
  const five = broker.device(third, { protocolVersion: 5 }, (packet) => refused.push(packet));
  await expect(five).rejects.toMatchObject({ code: 0x97 });
  expect(refused).toMatchObject([
    { cmd: 'connack', reasonCode: 0x97, properties: { reasonString: 'There are 2 connections already; come back later.' } },
  ]);
  await one.publishAsync(`v1/me/up`, '{"t":1}', { qos: 1 });
  await one.endAsync();
  await expect
    .poll(() =>
      broker.device(third).then(
        (client) => client.connected,
        () => false,
      ),
    )
    .toBe(true);
});
