import { PointCollector } from './flatten.ts';
import { type ParsedUplink, Refused } from './record.ts';

interface LppType {
  name: string;
  /** Bytes of each value, negative when signed; several values get these names. */
  sizes: number[];
  step: number | number[];
  parts?: string[];
  unit?: string;
}

const one = (name: string, size: number, step: number, unit?: string): LppType => ({
  name,
  sizes: [size],
  step,
  ...(unit ? { unit } : {}),
});
const axes = (name: string, step: number, unit: string): LppType => ({ name, sizes: [-2, -2, -2], step, parts: ['x', 'y', 'z'], unit });

/** iot-behaviour 1.5, the table of types. */
const types = new Map<number, LppType>([
  [0, one('digital_in', 1, 1)],
  [1, one('digital_out', 1, 1)],
  [2, one('analog_in', -2, 0.01)],
  [3, one('analog_out', -2, 0.01)],
  [100, one('generic', 4, 1)],
  [101, one('luminosity', 2, 1, 'lx')],
  [102, one('presence', 1, 1)],
  [103, one('temperature', -2, 0.1, 'Cel')],
  [104, one('relative_humidity', 1, 0.5, '%RH')],
  [113, axes('accelerometer', 0.001, 'g')],
  [115, one('barometric_pressure', 2, 0.1, 'hPa')],
  [116, one('voltage', 2, 0.01, 'V')],
  [117, one('current', 2, 0.001, 'A')],
  [118, one('frequency', 4, 1, 'Hz')],
  [120, one('percentage', 1, 1, '%')],
  [121, one('altitude', -2, 1, 'm')],
  [125, one('concentration', 2, 1, 'ppm')],
  [128, one('power', 2, 1, 'W')],
  [130, one('distance', 4, 0.001, 'm')],
  [131, one('energy', 4, 0.001, 'kWh')],
  [132, one('direction', 2, 1, 'deg')],
  [133, one('unixtime', 4, 1, 's')],
  [134, axes('gyrometer', 0.01, 'deg/s')],
  [135, { name: 'colour', sizes: [1, 1, 1], step: 1, parts: ['r', 'g', 'b'] }],
  [136, { name: 'gps', sizes: [-3, -3, -3], step: [1e-4, 1e-4, 0.01], parts: ['latitude', 'longitude', 'altitude'] }],
  [142, one('switch', 1, 1)],
]);

/** Cayenne LPP: repeated channel, type, data. The length of an unknown type is unknown, so reading ends there. */
export function readLpp(bytes: Uint8Array): ParsedUplink {
  const collector = new PointCollector();
  let at = 0;
  while (at < bytes.length) {
    const channel = bytes[at] ?? 0;
    const type = types.get(bytes[at + 1] ?? -1);
    if (!type) {
      if (at + 1 >= bytes.length) throw new Refused('bad_shape', 'The payload ends in the middle of a value.');
      collector.warnings.add('lpp_unknown_type');
      break;
    }
    at += 2;
    const values: number[] = [];
    for (const [index, size] of type.sizes.entries()) {
      const length = Math.abs(size);
      if (at + length > bytes.length) throw new Refused('bad_shape', 'The payload ends in the middle of a value.');
      const step = Array.isArray(type.step) ? (type.step[index] ?? 1) : type.step;
      values.push(scaled(bigEndian(bytes, at, size), step));
      at += length;
    }
    const name = `${type.name}_${channel}`;
    values.forEach((value, index) => {
      collector.add(type.parts ? `${name}.${type.parts[index]}` : name, value, type.unit ?? null);
    });
    if (type.name === 'gps') collector.place(values[0], values[1]);
  }
  return collector.result('lpp');
}

function bigEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < Math.abs(size); i++) value = value * 256 + (bytes[at + i] ?? 0);
  const range = 256 ** Math.abs(size);
  return size < 0 && value >= range / 2 ? value - range : value;
}

/** 0.1 × 215 is 21.5, not 21.500000000000004. */
const scaled = (value: number, step: number) => (step >= 1 ? value * step : value / Math.round(1 / step));
