import type { RejectionCode } from '@telltale/domain/uplinks/record.ts';
import type { ChannelEntry, DeviceEntry } from '../directory.ts';
import type { Principal } from './principal.ts';
import type { BrokerParts } from './session.ts';

/** The interval at which the same refusal of one key is recorded. */
const everyMs = 10_000;
const mostRemembered = 10_000;

/**
 * Records refusals that MQTT 3.1.1 cannot report to a device: in the message log of the device or channel, with the address and advice, and
 * in the server's log.
 */
export class RefusalLog {
  readonly #parts: Pick<BrokerParts, 'uplinks' | 'log'>;
  readonly #recordedAt = new Map<string, number>();

  constructor(parts: Pick<BrokerParts, 'uplinks' | 'log'>) {
    this.#parts = parts;
  }

  record(principal: Principal, code: RejectionCode, address: string, sentence: string, topic = ''): void {
    const message = `${sentence} (from ${address || 'an unknown address'})`;
    if (principal.kind === 'user') {
      this.#parts.log.warn({ code, address, user: principal.user.id, topic: topic.slice(0, 256) }, message);
      return;
    }
    const device = principal.kind === 'device' ? principal.device : null;
    this.note(principal.kind === 'channel' ? principal.channel : principal.device.channel, device, code, topic, message);
  }

  /** Whether something may be written down again; asking counts as writing it down. */
  isDue(key: string): boolean {
    const now = Date.now();
    if (now - (this.#recordedAt.get(key) ?? 0) < everyMs) return false;
    if (this.#recordedAt.size >= mostRemembered) this.#recordedAt.clear();
    this.#recordedAt.set(key, now);
    return true;
  }

  note(channel: ChannelEntry, device: DeviceEntry | null, code: RejectionCode, topic: string, message: string): void {
    if (!this.isDue(`${channel.pk} ${device?.pk ?? ''} ${code} ${topic.slice(0, 256)}`)) return;
    const device_id = device?.device_id ?? '';
    this.#parts.log.warn({ code, channel: channel.channel_id, device: device_id, topic: topic.slice(0, 256) }, message);
    this.#parts.uplinks.reject(
      { channel, device, device_id, topic: topic.slice(0, 256), payload: Buffer.alloc(0), code, message },
      () => {},
    );
  }
}
