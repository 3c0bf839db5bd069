import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testBroker } from '../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const patient = await testBroker(app);
const hasty = await testBroker(app, { timing: { timeoutMs: 400 } });
const fleet = await makeDevices(app.ctx, 'weather', 2);

/** Holds back every write of a message until the end of the test, or until the returned function is called. */
async function withholdMessages(): Promise<() => Promise<unknown>> {
  const holder = new pg.Client(app.databaseUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin; lock table telemetry.uplink in exclusive mode');
  return () => holder.query('rollback');
}

/** A device sends messages that wait, and its line breaks. Returns the memory that was counted before. */
async function leaveBehind({ broker, device }: typeof patient, sender: MadeDevice, messages: number): Promise<number> {
  const client = await device(sender);
  for (let n = 0; n < messages; n++) client.publish('v1/me/up', JSON.stringify({ n, filling: 'x'.repeat(500) }), { qos: 1 });
  const least = messages * 500;
  await expect.poll(() => broker.heldBytes).toBeGreaterThan(least);
  const held = broker.heldBytes;
  client.stream.destroy();
  await expect.poll(() => broker.connections).toBe(0);
  return held;
}

describe('iot-behaviour 1.9: the memory of messages that wait for the database', () => {
  test('messages of a connection that is gone are counted until they are stored', async () => {
    const release = await withholdMessages();
    const held = await leaveBehind(patient, fleet[0] as MadeDevice, 50);
    expect(patient.broker.heldBytes).toBeGreaterThanOrEqual(held);
    await release();
    await expect.poll(() => patient.broker.heldBytes).toBe(0);
  });

  test('or until they are given up', async () => {
    await withholdMessages();
    await leaveBehind(hasty, fleet[1] as MadeDevice, 50);
    await expect.poll(() => hasty.broker.heldBytes).toBe(0);
  });
});
