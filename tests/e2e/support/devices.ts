import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import mqtt, { type MqttClient } from 'mqtt';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { TestClient } from '../../../server/testing/client.ts';
import type { RunningConsole } from './console.ts';
import { firstAdmin, startPrepared } from './file-console.ts';
import { type Journey, journey, type VisitOptions } from './journey.ts';
import { until } from './until.ts';

const account = firstAdmin;

/** A console of its own with a broker, for the tests of a file: others expect that no device has reported. Its people live in `zone`. */
export function consoleWithBroker(name: string, settings: Record<string, string> = {}, zone = 'Europe/Berlin') {
  let running: RunningConsole;
  let client: TestClient;
  const sessions: MqttClient[] = [];
  beforeAll(async () => {
    running = await startPrepared(name, { ...settings, MQTT_PORT: 'auto' });
    client = new TestClient(running.url);
    await client.signIn(account.email, account.password);
  }, 180_000);
  afterAll(async () => {
    for (const session of sessions) session.end(true);
    await running?.stop();
  });

  return {
    account,
    url: () => running.url,
    client: () => client,
    /** A journey of its administrator. */
    here:
      (journeyName: string, run: (journey: Journey) => Promise<void>, options: VisitOptions = {}) =>
      () =>
        journey(journeyName, run, { as: account, url: running.url, browser: { timezoneId: zone }, ...options })(),
    async connect(channelId: string, deviceId: string, api_key: string): Promise<MqttClient> {
      // Unknown as long as the broker has not said lately that it is there.
      const address = await until('the broker has an address', 60_000, async () => {
        const { mqtt_address } = await client.get(devicesApi.get, { params: { id: channelId, deviceId } });
        return mqtt_address ?? undefined;
      });
      const session = await mqtt.connectAsync(address, {
        username: `${channelId}/${deviceId}`,
        password: api_key,
        reconnectPeriod: 0,
      });
      sessions.push(session);
      return session;
    },
    async aDevice(channelId: string, deviceId: string) {
      const known = await client.call(channelsApi.get, { params: { id: channelId } });
      if (known.status === 404)
        await client.get(channelsApi.create, { body: { channel_id: channelId, channel_name: `Channel ${channelId}` } });
      return client.get(devicesApi.create, { params: { id: channelId }, body: { device_id: deviceId, device_name: `Device ${deviceId}` } });
    },
  };
}

export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });

export const rowOf = (page: Page, attribute: string): Locator =>
  page.getByRole('table', { name: 'Last values' }).getByRole('row', { name: attribute });

/** A call that the server cannot answer. */
export const failing = (page: Page, path: string | RegExp, method: string) =>
  page.route(path, (route) =>
    route.request().method() === method ? route.fulfill({ status: 500, json: { message: 'The server is on fire.' } }) : route.fallback(),
  );
