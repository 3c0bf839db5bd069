import { join } from 'node:path';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pick, random } from '../../testing/random.ts';
import { growTo, loadWasm, type WasmNumber } from '../wasm.ts';
import { anyBytes } from './testing/any-bytes.ts';

/** The inflater as it is compiled into the engine of CSV. */
const { exports, memory } = loadWasm<{ inflate(src: number, end: number, out: number, outEnd: number): number; firstFree: WasmNumber }>(
  join(import.meta.dirname, '../../results/export/quick/csv-rows.wasm'),
);

function inflate(data: Buffer, length: number): Buffer | undefined {
  const src = exports.firstFree.value;
  const out = src + data.length + 64;
  growTo(memory, out + length + 64);
  const heap = Buffer.from(memory.buffer);
  heap.set(data, src);
  const end = exports.inflate(src, src + data.length, out, out + length);
  return end ? heap.subarray(out, end) : undefined;
}

const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_FULL_FLUSH, Z_FINISH, Z_SYNC_FLUSH } = constants;

test.each(Array.from({ length: 100 }, (_, seed) => seed))('inflates what zlib deflates, however it does it (chance %i)', (seed) => {
  const next = random(seed * 31 + 1);
  for (let k = 0; k < 10; k++) {
    const bytes = anyBytes(next);
    const data = deflateRawSync(bytes, {
      level: Math.floor(next() * 10),
      strategy: pick(next, [Z_DEFAULT_STRATEGY, Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE]),
      finishFlush: pick(next, [Z_FULL_FLUSH, Z_FINISH]),
    });
    expect(inflate(data, bytes.length)?.equals(bytes)).toBe(true);
    if (bytes.length > 0) expect(inflate(data, bytes.length - 1)).toBeUndefined();
  }
});

test.each(Array.from({ length: 100 }, (_, seed) => seed))('never writes more than it may, whatever it is given (chance %i)', (seed) => {
  const next = random(seed * 37 + 5);
  for (let k = 0; k < 20; k++) {
    const bytes = anyBytes(next, 5000);
    const data = deflateRawSync(bytes, { level: Math.floor(next() * 10), finishFlush: Z_FULL_FLUSH });
    for (let n = Math.floor(next() * 4); n >= 0; n--) data[Math.floor(next() * data.length)] = Math.floor(next() * 256);
    const cut = data.subarray(0, next() < 0.3 ? Math.floor(next() * data.length) : data.length);
    const guard = Buffer.from(memory.buffer).subarray(-16).fill(0xa5);
    const answer = inflate(cut, bytes.length);
    expect(answer?.length ?? 0).toBeLessThanOrEqual(bytes.length);
    expect(guard.length === 0 || guard.every((byte) => byte === 0xa5)).toBe(true);
    const native = attempt(() => inflateRawSync(cut, { finishFlush: Z_SYNC_FLUSH, maxOutputLength: 1_000_000 }));
    // A stream that is still whole is read alike; the checksum reveals any other one.
    if (native?.length === bytes.length && answer?.length === bytes.length) expect(answer.equals(native)).toBe(true);
  }
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
