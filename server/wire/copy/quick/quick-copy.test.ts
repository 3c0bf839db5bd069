import { describe, expect, test } from 'vitest';
import { pick, random } from '../../../testing/random.ts';
import type { Chunk } from '../../chunk.ts';
import { inflateChunk } from '../../chunk.ts';
import { ChunkWriter, type ChunkWriterOptions } from '../../chunk-writer.ts';
import { CopyBinaryToJson } from '../copy-binary.ts';

const bytesOf = (size: number, fill: (view: DataView) => void): Buffer => {
  const bytes = Buffer.alloc(size);
  fill(new DataView(bytes.buffer, bytes.byteOffset, size));
  return bytes;
};
const int8 = (value: bigint) => bytesOf(8, (view) => view.setBigInt64(0, BigInt.asIntN(64, value)));
const anyBits = (next: () => number, size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(next() * 256)));
const bits = (next: () => number, most: number) =>
  BigInt.asIntN(64, anyBits(next, 8).readBigInt64BE()) >> BigInt(Math.floor(next() * most));

const doubles = [
  0,
  -0,
  1,
  -1,
  0.1,
  1e9,
  1e9 - 0.000001,
  999_999_999.999999,
  1e15,
  1e15 - 1,
  5e-7,
  4.9999999e-7,
  1e-6,
  2 ** 53,
  1e300,
  5e-324,
];
const letters = ['a', 'é', '温', '🌡', ' ', '/', '\u007f', "'"];
const odd = ['"', '\\', '\n', '\r', '\t', '\b', '\f', '\u0000', '\u001f', '\u0001'];

/** Makers of values by type oid, as the database sends them. */
const makers: Record<number, (next: () => number) => Buffer> = {
  16: (next) => Buffer.from([next() < 0.5 ? 1 : 0]),
  21: (next) => anyBits(next, 2),
  23: (next) => bytesOf(4, (view) => view.setInt32(0, Number(bits(next, 60) & 0xffffffffn) | 0)),
  26: (next) => anyBits(next, 4),
  20: (next) => int8(pick(next, [bits(next, 60), 2n ** 49n, -(2n ** 49n), 2n ** 49n - 1n, 10n ** 15n, -1n, 0n])),
  701: (next) => {
    const value = pick(next, [
      ...doubles,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      next() * 1000,
      next(),
      next() * 1e20,
      2 ** Math.floor(next() * 90 - 20),
      Math.round(next() * 1e6) / 1000,
    ]);
    return bytesOf(8, (view) => view.setFloat64(0, next() < 0.5 ? value : -value));
  },
  25: (next) => {
    const oddity = pick(next, [0, 0, 0.05, 0.8]);
    const length = Math.floor(next() ** 3 * 200);
    return Buffer.from(Array.from({ length }, () => pick(next, next() < oddity ? odd : letters)).join(''));
  },
  1043: (next) => Buffer.from(pick(next, ['', 'ok', 'x'.repeat(16), 'x'.repeat(15), `${'x'.repeat(15)}"`, `${'x'.repeat(16)}\\`])),
  1082: (next) =>
    bytesOf(4, (view) =>
      view.setInt32(
        0,
        pick(next, [Math.floor(next() * 40_000 - 20_000), 2 ** 31 - 1, -(2 ** 31), -800_000, 3_000_000, -365_000, 2_900_000, 0, -1]),
      ),
    ),
  1114: (next) => int8(pick(next, [bits(next, 30), 2n ** 53n, -(2n ** 53n), 2n ** 53n - 1n, 0n, -1n, 86_399_999_999n, 2n ** 63n - 1n])),
  1184: (next) =>
    int8(
      pick(next, [BigInt(Math.floor(next() * 1e15)), -BigInt(Math.floor(next() * 1e15)), 1_000_000n * BigInt(Math.floor(next() * 1e9))]),
    ),
  2950: (next) => anyBits(next, 16),
  700: (next) => {
    const value = pick(next, [
      0,
      -0,
      0.1,
      16_777_216,
      123_456_789,
      1e21,
      1e-6,
      9.9e-7,
      Number.NaN,
      next() * 100,
      2 ** Math.floor(next() * 40 - 20),
    ]);
    return next() < 0.4 ? anyBits(next, 4) : bytesOf(4, (view) => view.setFloat32(0, next() < 0.5 ? value : -value));
  },
  1700: (next) => {
    if (next() < 0.3) return quotient(next);
    const weight = Math.floor(next() * 7) - 3;
    // The database sends numbers like this: the first and the last group are not zero, and the decimals reach behind the last.
    const groups = Array.from({ length: Math.floor(next() * (next() < 0.1 ? 9 : 5)) }, (_, i) =>
      i > 0 && next() < 0.2 ? 0 : 1 + Math.floor(next() * 9999),
    );
    const last = groups.length > 0 ? Math.max(0, (groups.length - weight - 1) * 4) : 0;
    const cut = groups.length > 1 && (groups.at(-1) ?? 0) % 100 === 0 ? 2 : 0;
    if (groups.at(-1) === 0) groups.pop();
    const scale = Math.max(0, last - cut) + pick(next, [0, 0, 1, 2, 17]);
    return bytesOf(8 + 2 * groups.length, (view) => {
      view.setInt16(0, groups.length);
      view.setInt16(2, groups.length > 0 ? weight : 0);
      view.setUint16(4, groups.length === 0 ? pick(next, [0, 0xc000, 0xd000, 0xf000]) : pick(next, [0, 0x4000]));
      view.setUint16(6, scale);
      for (const [i, group] of groups.entries()) view.setInt16(8 + 2 * i, group);
    });
  },
};

/** A decimal from a division: sixteen or seventeen digits, only some of which a double holds. */
function quotient(next: () => number): Buffer {
  const [whole = '', fraction = ''] = String(next() * 10 ** Math.floor(next() * 9)).split('.');
  const last = pick(next, [fraction, fraction.slice(0, -1), `${fraction.slice(0, -1)}${Math.floor(next() * 10)}`, `${fraction}5`]);
  const [left, right] = [whole.padStart(Math.ceil(whole.length / 4) * 4, '0'), last.padEnd(Math.ceil(last.length / 4) * 4, '0')];
  const groups = (`${left}${right}`.match(/.{4}/g) ?? []).map(Number);
  let weight = left.length / 4 - 1;
  for (; groups[0] === 0; weight--) groups.shift();
  while (groups.at(-1) === 0) groups.pop();
  return bytesOf(8 + 2 * groups.length, (view) => {
    view.setInt16(0, groups.length);
    view.setInt16(2, groups.length > 0 ? weight : 0);
    view.setUint16(6, last.length);
    for (const [i, group] of groups.entries()) view.setInt16(8 + 2 * i, group);
  });
}

const message = (payload: Buffer): Buffer => {
  const head = Buffer.from('d\0\0\0\0');
  head.writeInt32BE(payload.length + 4, 1);
  return Buffer.concat([head, payload]);
};

function makeRow(oids: number[], next: () => number): Buffer {
  const fields = oids.map((oid) => {
    const value = next() < 0.1 ? undefined : makers[oid]?.(next);
    return Buffer.concat([bytesOf(4, (view) => view.setInt32(0, value?.length ?? -1)), value ?? Buffer.alloc(0)]);
  });
  return Buffer.concat([bytesOf(2, (view) => view.setInt16(0, oids.length)), ...fields]);
}

const header = Buffer.concat([Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const trailer = Buffer.from([0xff, 0xff]);

/** Pieces as a socket delivers them, read as connectors/postgres reads them. */
async function written(oids: number[], rows: Buffer[], pieceBytes: number, isQuick: boolean, options: ChunkWriterOptions = {}) {
  const chunks: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void chunks.push(chunk), { chunkBytes: 3000, chunkRows: 40, ...options });
  const columns = oids.map((oid, n) => ({ name: `${pick(random(n + 1), ['a', 'größe', 'a name of more than sixteen bytes'])} ${n}`, oid }));
  const copier = new CopyBinaryToJson(columns, writer);
  const [first, ...others] = rows;
  const stream = Buffer.concat([
    message(Buffer.concat([header, first ?? trailer])),
    ...others.map(message),
    ...(first ? [message(trailer)] : []),
  ]);
  let byHand = 0;
  let rest = Buffer.alloc(0);
  for (let from = 0; from < stream.length; from += pieceBytes) {
    const bytes = Buffer.concat([rest, stream.subarray(from, from + pieceBytes)]);
    let at = 0;
    while (at + 5 <= bytes.length) {
      const taken = isQuick ? copier.pushMessages(bytes, at) : { at };
      if (taken.at > at) {
        at = taken.at;
        continue;
      }
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      copier.push(bytes, at + 5, end);
      byHand++;
      at = end;
    }
    rest = Buffer.from(bytes.subarray(at));
    await writer.ready();
  }
  copier.finish();
  const size = await writer.finish();
  const texts = await Promise.all(chunks.map(async (chunk) => `${chunk.rows} ${await inflateChunk(chunk)}`));
  return { size, texts, byHand };
}

describe('COPY by the engine', () => {
  test.each(Array.from({ length: 250 }, (_, seed) => seed + 1))('stores the same chunks as the slow path (%i)', async (seed) => {
    const next = random(seed * 104_729);
    const known = Object.keys(makers).map(Number);
    const oids = Array.from({ length: 1 + Math.floor(next() * 6) }, () => pick(next, known));
    const rows = Array.from({ length: Math.floor(next() * 200) }, () => makeRow(oids, next));
    const pieceBytes = pick(next, [37, 1000, 65_536]);
    const quick = await written(oids, rows, pieceBytes, true);
    const byHand = await written(oids, rows, pieceBytes, false);
    expect(quick.texts).toEqual(byHand.texts);
    expect(quick.size).toEqual(byHand.size);
  });

  test('ordinary readings all go this way but the first, which comes with the header, and the end', async () => {
    const oids = [23, 25, 1184, 701];
    const next = random(5);
    const rows = Array.from({ length: 1000 }, () =>
      Buffer.concat([
        bytesOf(2, (view) => view.setInt16(0, 4)),
        ...[
          anyBits(next, 4),
          Buffer.from('device-1'),
          int8(BigInt(Math.floor(next() * 1e15))),
          bytesOf(8, (view) => view.setFloat64(0, Math.round(next() * 1e6) / 1000)),
        ].map((value) => Buffer.concat([bytesOf(4, (view) => view.setInt32(0, value.length)), value])),
      ]),
    );
    expect((await written(oids, rows, 1e9, true)).byHand).toBe(2);
  });

  test.each<[ChunkWriterOptions, string]>([
    [{ limits: { rows: 50 } }, 'rows'],
    [{ limits: { bytes: 2000 } }, 'bytes'],
    [{ limits: { rowBytes: 300 } }, 'row'],
  ])('the caps of a result hold: %j', async (options, what) => {
    const rows = Array.from({ length: 100 }, (_, n) =>
      Buffer.concat([
        Buffer.from([0, 1]),
        bytesOf(4, (view) => view.setInt32(0, n === 70 ? 400 : 20)),
        Buffer.from('x'.repeat(n === 70 ? 400 : 20)),
      ]),
    );
    for (const isQuick of [true, false]) await expect(written([25], rows, 65_536, isQuick, options)).rejects.toThrow(what);
  });

  test('a result may have exactly as many rows as the cap says', async () => {
    const rows = Array.from({ length: 50 }, () => Buffer.from([0, 1, 0, 0, 0, 1, 0x61]));
    expect((await written([25], rows, 65_536, true, { limits: { rows: 50 } })).size.rows).toBe(50);
  });

  test('rows of other shapes than the columns say are told by hand', async () => {
    const good = Buffer.from([0, 1, 0, 0, 0, 1, 0x61]);
    await expect(written([25], [good, good, Buffer.from([0, 2, 0, 0, 0, 1, 0x61])], 65_536, true)).rejects.toThrow('as many fields');
    const long = Buffer.from([0, 1, 0, 0, 0, 9, 0x61]);
    await expect(written([25], [good, good, long], 65_536, true)).rejects.toThrow();
  });
});
