import { randomBytes } from 'node:crypto';
import type { HeardBy } from '@telltale/domain/lorawan/radio.ts';
import { bestGateway } from '@telltale/domain/lorawan/radio.ts';
import type { NetworkEnv, QueuedDownlink, RunningNetwork } from '../network.ts';
import type { DownlinkReport, EndDevice, NetworkEvent, UplinkEvent } from '../network-event.ts';
import { computedAirtime } from '../read-json.ts';
import { ClassADevice } from './class-a-device.ts';
import { encodeReading } from './codec.ts';

export interface SimulationOptions {
  devices: number;
  interval_seconds: number;
  loss_percent: number;
  speed: number;
  gateways: number;
}

export interface Chance {
  random(): number;
}

const joinSeconds = 2;
/** RX1 of class A opens one second after an uplink. */
const receiveSeconds = 1;
const uplinkPort = 2;
const [latitude, longitude] = [52.52, 13.405];
const frequencies = [868_100_000, 868_300_000, 868_500_000];

/** A network server with class A devices: joins, uplinks, receive windows, a queue, acknowledgements, and air that loses frames. */
export class ClassANetwork implements RunningNetwork {
  readonly #options: SimulationOptions;
  readonly #env: NetworkEnv;
  readonly #chance: Chance;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Confirmed downlinks that were sent and wait for the acknowledgement in the next uplink. */
  readonly #unconfirmed = new Map<string, QueuedDownlink>();
  readonly #downCounters = new Map<string, number>();
  readonly #startedAt = Date.now();
  #work: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: SimulationOptions, env: NetworkEnv, chance: Chance = Math) {
    this.#options = options;
    this.#env = env;
    this.#chance = chance;
    for (let index = 0; index < options.devices; index++) {
      const device = new ClassADevice(index, env.network_id, options.interval_seconds);
      const spread = (index / options.devices) * Math.min(options.interval_seconds, 30);
      this.#in(joinSeconds + spread, () => this.#join(device));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#work;
  }

  /** Seconds of the network's own clock, which may run faster than ours. */
  #in(seconds: number, act: () => Promise<void>): void {
    if (this.#isStopped) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#work = this.#work.then(() => (this.#isStopped ? undefined : act())).catch(() => {});
      },
      Math.max(1, (seconds * 1000) / this.#options.speed),
    );
    this.#timers.add(timer);
  }

  get #seconds(): number {
    const since = Date.now() - this.#startedAt;
    return (this.#startedAt + since * this.#options.speed) / 1000;
  }

  #isLost(): boolean {
    return this.#chance.random() * 100 < this.#options.loss_percent;
  }

  async #join(device: ClassADevice): Promise<void> {
    const session = randomBytes(12).toString('base64url');
    device.join(session, randomBytes(4).toString('hex'));
    this.#in(joinSeconds, () => this.#uplink(device));
    await this.#tell([
      {
        kind: 'join',
        event: 'join',
        source: 'simulated',
        end_device: refOf(device),
        level: 'info',
        message: 'Joined the network',
        key: `join/${session}`,
        at: null,
        session,
        raw: { join_accept: { session_key_id: session }, dev_addr: device.dev_addr },
      },
    ]);
  }

  async #uplink(device: ClassADevice): Promise<void> {
    const spoken = device.speak(this.#seconds);
    this.#in(device.intervalSeconds, () => this.#uplink(device));
    if (this.#isLost()) return;
    const events: NetworkEvent[] = [this.#eventOf(device, spoken.fcnt, encodeReading(spoken.reading), { ...spoken.reading })];
    const waiting = this.#unconfirmed.get(device.device_id);
    if (waiting) {
      this.#unconfirmed.delete(device.device_id);
      if (spoken.acknowledges === waiting.attempt_id) {
        await this.#env.queue.remove(waiting.attempt_id);
        events.push(report(device, waiting, 'ack', 'acknowledged'));
      } else {
        events.push(report(device, waiting, 'nack', 'nacked'));
        if (waiting.attempts >= waiting.most_attempts) {
          await this.#env.queue.remove(waiting.attempt_id);
          events.push(report(device, waiting, 'failed', 'failed', 'no_acknowledgement'));
        }
      }
    }
    await this.#tell(events);
    this.#in(receiveSeconds, () => this.#answer(device));
  }

  /** The receive window: the oldest downlink of the device's queue goes out. */
  async #answer(device: ClassADevice): Promise<void> {
    if (this.#unconfirmed.has(device.device_id)) return;
    const next = (await this.#env.queue.list()).find(({ device_id }) => device_id === device.device_id);
    if (!next) return;
    const fcnt = (this.#downCounters.get(device.device_id) ?? -1) + 1;
    this.#downCounters.set(device.device_id, fcnt);
    if (next.confirmed) {
      await this.#env.queue.retry(next.attempt_id);
      this.#unconfirmed.set(device.device_id, { ...next, attempts: next.attempts + 1 });
    } else await this.#env.queue.remove(next.attempt_id);
    if (!this.#isLost()) device.hear(next);
    await this.#tell([{ ...report(device, { ...next, attempts: next.attempts + 1 }, 'sent', 'sent'), fcnt }]);
  }

  #eventOf(device: ClassADevice, fcnt: number, bytes: Buffer, object: Record<string, unknown>): UplinkEvent {
    const heard_by = this.#heardBy(device);
    const best = bestGateway(heard_by);
    const radio = { sf: 7 + Math.floor(this.#chance.random() * 3), bw: 125_000 };
    return {
      kind: 'uplink',
      source: 'simulated',
      end_device: refOf(device),
      at: null,
      fport: uplinkPort,
      fcnt,
      session: device.session,
      message_id: `sim/${device.session}/${fcnt}`,
      confirmed: false,
      bytes,
      object,
      warnings: [],
      radio: {
        ...radio,
        rssi: best?.rssi ?? null,
        snr: best?.snr ?? null,
        frequency: frequencies[fcnt % frequencies.length] ?? null,
        gateway: best?.gateway_id ?? null,
        gateways: heard_by.length,
        airtime_ms: computedAirtime(radio, bytes.length, 1),
        dr: 12 - radio.sf,
      },
      heard_by,
      per: null,
      battery: null,
      more: { dev_addr: device.dev_addr, coding_rate: '4/5' },
    };
  }

  #heardBy(device: ClassADevice): HeardBy[] {
    const near = Number.parseInt(device.dev_eui.slice(-2), 16);
    return Array.from({ length: this.#options.gateways }, (_, index): HeardBy => {
      const far = (near + index * 3) % 7;
      return {
        gateway_id: `sim-gateway-${index + 1}`,
        rssi: Math.round(-78 - far * 6 - this.#chance.random() * 8),
        snr: Math.round((9 - far * 1.6 + this.#chance.random() * 3) * 10) / 10,
        latitude: latitude + Math.sin(index * 2.1) * 0.03,
        longitude: longitude + Math.cos(index * 2.1) * 0.05,
      };
    });
  }

  /** A report that could not be stored is repeated: there is no other copy of it. */
  async #tell(events: NetworkEvent[]): Promise<void> {
    for (let pauseMs = 100; !this.#isStopped; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        await this.#env.receive(events);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }
}

const refOf = ({ device_id, dev_eui, name }: ClassADevice): EndDevice => ({ device_id, dev_eui, name, application_id: null });

function report(
  device: ClassADevice,
  { attempt_id, attempts, most_attempts }: QueuedDownlink,
  event: string,
  state: DownlinkReport['state'],
  reason: string | null = null,
): DownlinkReport {
  const raw = { event, attempt_id, attempts };
  return {
    kind: 'downlink',
    event,
    state,
    source: 'simulated',
    end_device: refOf(device),
    attempt_id,
    fcnt: null,
    attempt: attempts,
    will_repeat: state === 'nacked' && attempts < most_attempts,
    reason,
    at: null,
    raw,
  };
}
