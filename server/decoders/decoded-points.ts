import { readDecoded } from '@telltale/domain/decoders/decoded.ts';
import type { Decoded } from '../networks/uplink-decoder.ts';
import type { Answer } from './engine/answer.ts';

/** iot-behaviour 4.2: converts a script's answer to points. Times are in microseconds; readings before `oldest` are dropped. */
export function decodedPoints(answer: Answer, version: number, receivedAt: number, oldest: number): Decoded {
  const { errors, warnings } = answer;
  if (errors.length > 0) return { version, points: [], position: null, warnings, errors };
  const read = readDecoded(answer.data, receivedAt, oldest);
  return { version, points: read.points, position: read.position, warnings: [...warnings, ...read.warnings], errors: read.errors };
}
