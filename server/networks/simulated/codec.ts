import type { Reading } from './class-a-device.ts';

/** The payload of the simulated sensor, 8 bytes: temperature, humidity, battery, light, interval. */
export function encodeReading({ temperature, humidity, battery, led, interval }: Reading): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeInt16BE(Math.round(temperature * 100), 0);
  bytes.writeUInt8(Math.round(humidity * 2), 2);
  bytes.writeUInt16BE(Math.round(battery * 1000), 3);
  bytes.writeUInt8(Number(led), 5);
  bytes.writeUInt16BE(interval, 6);
  return bytes;
}

export const readUInt16 = (bytes: Buffer): number | null => (bytes.length >= 2 ? bytes.readUInt16BE(0) : null);

/** The network's own formatter for commands that are objects: `{"led": true}` or `{"interval": 60}`. */
export function encodeCommand(value: Record<string, unknown>): { fport: number; bytes: Buffer } | null {
  if (typeof value.led === 'boolean') return { fport: 10, bytes: Buffer.from([Number(value.led)]) };
  const { interval } = value;
  if (typeof interval !== 'number' || !Number.isInteger(interval) || interval < 1 || interval > 65_535) return null;
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(interval);
  return { fport: 11, bytes };
}
