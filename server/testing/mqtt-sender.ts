import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { MadeDevice } from './fleet.ts';

const field = (text: string | Buffer) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

function framed(type: number, body: Buffer): Buffer {
  const length: number[] = [];
  for (let left = body.length; ; ) {
    const low = left % 128;
    left = Math.floor(left / 128);
    length.push(left > 0 ? low | 128 : low);
    if (left === 0) break;
  }
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}

export const connectPacket = (clientId: string, username?: string, password?: string): Buffer => {
  const credentials = username === undefined ? [] : [field(username), field(password ?? '')];
  const flags = username === undefined ? 2 : 0xc2;
  return framed(0x10, Buffer.concat([field('MQTT'), Buffer.from([4, flags, 0, 120]), field(clientId), ...credentials]));
};

export const publishPacket = (topic: string, id: number, payload: string | Buffer, isRepeat = false): Buffer =>
  framed(isRepeat ? 0x3a : 0x32, Buffer.concat([field(topic), Buffer.from([id >> 8, id & 255]), Buffer.from(payload)]));

interface Sent {
  id: number;
  payload: string;
}

/**
 * A device that follows the protocol exactly: messages that are unacknowledged when the connection breaks are sent again, marked as
 * repetitions, in the same order and under the same packet ids.
 */
export class ReliableSender {
  readonly #device: MadeDevice;
  readonly #port: number;
  readonly #window: number;
  readonly #waiting: Sent[] = [];
  #socket: Socket | undefined;
  #rest = Buffer.alloc(0);
  #nextId = 1;
  #wake: (() => void) | undefined;
  acknowledged = 0;
  reconnects = 0;
  outOfOrder = 0;

  constructor(device: MadeDevice, port: number, window = 10) {
    this.#device = device;
    this.#port = port;
    this.#window = window;
  }

  /** Sends all, one after the other, and resolves when every one has been acknowledged. */
  async sendAll(payloads: Iterable<string>, pauseMs = 0): Promise<void> {
    await this.#connect();
    for (const payload of payloads) {
      while (this.#waiting.length >= this.#window) await this.#change();
      const sent = { id: this.#nextId, payload };
      this.#nextId = (this.#nextId % 65_535) + 1;
      this.#waiting.push(sent);
      this.#write(sent, false);
      if (pauseMs > 0) await delay(pauseMs);
    }
    while (this.#waiting.length > 0) await this.#change();
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #write({ id, payload }: Sent, isRepeat: boolean): void {
    const { channel_id, device_id } = this.#device;
    this.#socket?.write(publishPacket(`v1/${channel_id}/devices/${device_id}/up`, id, payload, isRepeat));
  }

  async #connect(): Promise<void> {
    for (;;) {
      const socket = await this.#open();
      if (socket) {
        this.#socket = socket;
        for (const sent of this.#waiting) this.#write(sent, true);
        socket.on('data', (chunk: Buffer) => this.#hear(chunk));
        socket.once('close', () => {
          if (this.#socket !== socket) return;
          this.reconnects++;
          void this.#connect();
        });
        return;
      }
      await delay(100 + Math.random() * 200);
    }
  }

  /** Undefined when there is no broker, or it refuses the connection. */
  #open(): Promise<Socket | undefined> {
    const { channel_id, device_id, api_key } = this.#device;
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
      const fail = () => {
        socket.destroy();
        resolve(undefined);
      };
      socket.setTimeout(10_000, fail);
      socket.once('error', fail).once('close', fail);
      socket.on('error', () => {});
      socket.once('connect', () => socket.write(connectPacket('sender', `${channel_id}/${device_id}`, api_key)));
      socket.once('data', (answer: Buffer) => {
        if (answer[0] !== 0x20 || answer[3] !== 0) return fail();
        socket.setTimeout(0);
        socket.off('close', fail);
        this.#rest = Buffer.from(answer.subarray(4));
        resolve(socket);
      });
    });
  }

  #hear(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (; this.#rest.length >= 4; this.#rest = this.#rest.subarray(4)) {
      const id = this.#rest.readUInt16BE(2);
      const place = this.#waiting.findIndex((sent) => sent.id === id);
      if (place > 0) this.outOfOrder++;
      if (place < 0) continue;
      this.#waiting.splice(place, 1);
      this.acknowledged++;
    }
    this.#wake?.();
  }
}
