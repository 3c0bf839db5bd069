import { limits } from '@telltale/domain/uplinks/limits.ts';
import { errorTopic } from '@telltale/domain/uplinks/topics.ts';
import type { RejectionNotice } from './uplink-sink.ts';

const everyMs = 5000;
const mostRemembered = 10_000;

/** iot-behaviour 1.10 a: reports rejections to the device, if it listens, and not more often than it can read. */
export class RejectionReports {
  readonly #send: (topic: string, payload: string) => void;
  readonly #sent = new Map<string, { at: number; count: number }>();

  constructor(send: (topic: string, payload: string) => void) {
    this.#send = send;
  }

  report({ channel, device, device_id, code, message, payload, receivedAt }: RejectionNotice): void {
    const topic = errorTopic(channel.channel_id, device?.device_id ?? device_id);
    // Each code on its own: a flood of one kind does not hide another.
    const counted = `${topic} ${code}`;
    const [last, now] = [this.#sent.get(counted), Date.now()];
    if (last && now - last.at < everyMs) {
      last.count++;
      return;
    }
    if (this.#sent.size > mostRemembered) this.#sent.clear();
    this.#sent.set(counted, { at: now, count: 0 });
    const body = { id: idOf(payload), code, message, at: new Date(receivedAt / 1000).toISOString(), count: (last?.count ?? 0) + 1 };
    this.#send(topic, JSON.stringify(body));
  }
}

/** The sender's own id of its message, as far as it can be read. */
function idOf(payload: Buffer): string | number | null {
  try {
    const { id } = JSON.parse(payload.length > 4096 ? '' : payload.toString('utf8')) as { id?: unknown };
    return typeof id === 'number' || (typeof id === 'string' && id.length <= limits.messageIdLength) ? id : null;
  } catch {
    return null;
  }
}
