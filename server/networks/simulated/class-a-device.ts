import { readUInt16 } from './codec.ts';

export interface DownlinkFrame {
  attempt_id: string;
  fport: number;
  bytes: Buffer;
  confirmed: boolean;
}

const ledPort = 10;
const intervalPort = 11;

/**
 * A virtual sensor of class A: it listens only after it has spoken. Port 10 turns its light on and off (one byte), port 11 sets
 * its interval (two bytes, seconds), and the next uplink shows it.
 */
export class ClassADevice {
  readonly device_id: string;
  readonly dev_eui: string;
  readonly name: string;
  session: string | null = null;
  dev_addr: string | null = null;
  fcnt = -1;
  /** The confirmed downlink that the next uplink acknowledges. */
  #toAcknowledge: string | null = null;
  #led = false;
  #intervalSeconds: number;
  readonly #phase: number;

  constructor(index: number, network_id: number, intervalSeconds: number) {
    const number = String(index + 1).padStart(2, '0');
    this.device_id = `sim-${number}`;
    this.name = `Simulated sensor ${index + 1}`;
    this.dev_eui = `5e${network_id.toString(16).padStart(8, '0').slice(-8)}${(index + 1).toString(16).padStart(6, '0')}`;
    this.#intervalSeconds = intervalSeconds;
    this.#phase = index * 1.7;
  }

  get intervalSeconds(): number {
    return this.#intervalSeconds;
  }

  join(session: string, dev_addr: string): void {
    this.session = session;
    this.dev_addr = dev_addr;
    this.fcnt = -1;
    this.#toAcknowledge = null;
  }

  /** The device's next uplink; the frame counter increases whether or not the uplink is received. */
  speak(seconds: number): { fcnt: number; reading: Reading; acknowledges: string | null } {
    this.fcnt++;
    const acknowledges = this.#toAcknowledge;
    this.#toAcknowledge = null;
    return { fcnt: this.fcnt, acknowledges, reading: this.#read(seconds) };
  }

  hear({ attempt_id, fport, bytes, confirmed }: DownlinkFrame): void {
    if (confirmed) this.#toAcknowledge = attempt_id;
    if (fport === ledPort && bytes.length > 0) this.#led = bytes[0] !== 0;
    const seconds = fport === intervalPort ? readUInt16(bytes) : null;
    if (seconds !== null && seconds > 0) this.#intervalSeconds = seconds;
  }

  #read(seconds: number): Reading {
    const day = (seconds / 86_400) * 2 * Math.PI + this.#phase;
    const drift = Math.sin(seconds / 97 + this.#phase) * 0.6;
    return {
      temperature: round(19 + 4 * Math.sin(day) + drift, 2),
      humidity: round(52 - 9 * Math.sin(day) + drift * 2, 1),
      battery: round(3.6 - (this.fcnt % 2000) * 0.0001, 3),
      led: this.#led,
      interval: this.#intervalSeconds,
    };
  }
}

export interface Reading {
  temperature: number;
  humidity: number;
  battery: number;
  led: boolean;
  interval: number;
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
