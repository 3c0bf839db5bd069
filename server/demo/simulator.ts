import mqtt, { type MqttClient } from 'mqtt';
import type { Logger } from '../platform/log.ts';
import { type DemoDevice, type Site, valueAt } from './sites.ts';

interface Credentials {
  device_id: string;
  api_key: string;
}

/** Every quarter of an hour one bed dries out and one street fills with smoke for two minutes, so that alerts trigger and clear. */
const faultEverySeconds = 900;
const faultSeconds = 120;

/** Simulates devices over MQTT: they report, and commands change their behaviour. */
export class Simulator {
  readonly #address: string;
  readonly #log: Logger;
  readonly #clients: MqttClient[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(address: string, log: Logger) {
    this.#address = address;
    this.#log = log;
  }

  add(site: Site, device: DemoDevice, { api_key }: Credentials, index: number): void {
    const base = `v1/${site.channel_id}/devices/${device.device_id}`;
    const state = { valve: false, seconds: site.seconds };
    const client = mqtt.connect(this.#address, {
      username: `${site.channel_id}/${device.device_id}`,
      password: api_key,
      clientId: `demo-${device.device_id}`,
      reconnectPeriod: 5000,
      resubscribe: true,
    });
    this.#clients.push(client);
    client.on('error', (error) => this.#log.debug({ err: error.message }, 'a device of the demo waits for the broker'));
    client.on('connect', () => void client.subscribe(`${base}/down`, { qos: 1 }));
    client.on('message', (_topic, payload) => {
      const command = readCommand(payload);
      if (command === null) return;
      if (typeof command.valve === 'boolean') state.valve = command.valve;
      if (typeof command.interval === 'number' && command.interval >= 1) state.seconds = Math.min(command.interval, 3600);
      if (typeof command.id === 'string') client.publish(`${base}/ack`, JSON.stringify({ id: command.id, ok: true }), { qos: 1 });
      report();
    });
    const report = () => {
      if (client.connected) client.publish(`${base}/up`, JSON.stringify(reading(site, device, index, state)), { qos: 1 });
    };
    const again = () => {
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          report();
          again();
        },
        state.seconds * 1000 * (0.9 + Math.random() * 0.2),
      );
      this.#timers.add(timer);
    };
    client.once('connect', report);
    again();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#clients.map((client) => client.endAsync(true)));
  }
}

function reading(
  site: Site,
  device: DemoDevice,
  index: number,
  state: { valve: boolean; seconds: number },
): Record<string, number | boolean> {
  const seconds = Date.now() / 1000;
  const values = Object.fromEntries(
    site.attributes.map((attribute, at) => [
      attribute.name,
      valueAt(attribute, site.weather, { offset: at === 0 ? device.offset : 0, phase: device.phase }, seconds),
    ]),
  );
  const turn = Math.floor(seconds / faultEverySeconds);
  const isFaulty = index === turn % site.devices.length && seconds % faultEverySeconds < faultSeconds;
  if (site.channel_id === 'greenhouse') {
    const moisture = Number(values.soil_moisture);
    return {
      ...values,
      soil_moisture: isFaulty && !state.valve ? 11.5 : moisture + (state.valve ? 9 : 0),
      valve: state.valve,
      interval: state.seconds,
    };
  }
  return { ...values, ...(isFaulty && { pm25: 96.4 }), ...device.position };
}

function readCommand(payload: Buffer): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(payload.toString('utf8'));
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
    const { payload: inner, ...rest } = given as Record<string, unknown>;
    return typeof inner === 'object' && inner !== null ? { ...rest, ...(inner as object) } : rest;
  } catch {
    return null;
  }
}
