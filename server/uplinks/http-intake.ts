import { admission } from '../networks/admission.ts';
import type { ChannelEntry, DeviceEntry } from '../networks/directory.ts';
import type { PayloadDecoder } from '../networks/uplink-decoder.ts';
import type { Message, Outcome } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { createDirectory, type Directory, type RegisterDevice } from './directory.ts';
import { Uplinks } from './uplinks.ts';
import type { UplinkWatcher } from './watchers.ts';

export interface IntakeParts {
  register?: RegisterDevice | undefined;
  /** Created with the first uplink, stopped with the server. */
  watchers?: ((services: Services) => UplinkWatcher[]) | undefined;
  /** Reads bytes by the script of their channel. */
  decoder?: PayloadDecoder | undefined;
}

/** An uplink that came in a request. */
type Arrival = Pick<Message, 'topic' | 'format' | 'fport' | 'payload' | 'source'> & {
  channel: ChannelEntry;
  /** Undefined where the channel has no such device and made none. */
  device: DeviceEntry | undefined;
  device_id: string;
};

/** iot-behaviour 1.10: the same codes as over MQTT. */
const statuses: Record<string, number> = {
  too_large: 413,
  too_many_points: 413,
  unknown_device: 404,
  device_disabled: 403,
  rate_limited: 429,
  too_many_devices: 403,
};
export const refusalStatus = (code: string): number => statuses[code] ?? 400;

/**
 * Takes uplinks that come in requests, with a group commit of its own. Its parts are created with the first call: most consoles never have
 * one.
 */
export class HttpIntake {
  readonly #services: Services;
  readonly #parts: IntakeParts;
  #made: { directory: Directory; uplinks: Uplinks; watching: UplinkWatcher[] } | undefined;

  constructor(services: Services, parts: IntakeParts) {
    this.#services = services;
    this.#parts = parts;
  }

  #make() {
    if (this.#made) return this.#made;
    const { register, watchers, decoder } = this.#parts;
    const watching = watchers?.(this.#services) ?? [];
    const uplinks = new Uplinks(this.#services, { watchers: watching, decoder });
    this.#made = { directory: createDirectory(this.#services, register), uplinks, watching };
    return this.#made;
  }

  get directory(): Directory {
    return this.#make().directory;
  }

  get uplinks(): Uplinks {
    return this.#make().uplinks;
  }

  /** Resolves after the uplink is on disk, or the reason why it is not. */
  async take({ channel, device, device_id, topic, format, fport, payload, source }: Arrival): Promise<Outcome> {
    const { directory, uplinks, watching } = this.#make();
    await Promise.all(watching.map((watcher) => watcher.ready?.()));
    // A request is not held back: over-rate senders are refused with 429.
    const admitted = admission({ directory, uplinks }, { channel, device, device_id, canWait: false });
    return new Promise((done) => {
      if (admitted.refusal)
        uplinks.reject({ channel, device: device ?? null, device_id: device_id.slice(0, 64), topic, payload, ...admitted.refusal }, done);
      else uplinks.receive({ device: admitted.device, topic, format, fport, payload, source, packet_id: null, isRepeat: false }, done);
    });
  }

  async stop(): Promise<void> {
    await this.#made?.uplinks.stop();
    await this.#made?.directory.stop();
    for (const watcher of this.#made?.watching ?? []) await watcher.stop?.();
  }
}
