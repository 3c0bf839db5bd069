import { constants, deflateRawSync } from 'node:zlib';
import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { pick, random } from '../../../testing/random.ts';
import { ByteSink } from '../../../wire/byte-sink.ts';
import { ChunkError, type Deflated, deflate } from '../../../wire/chunk.ts';
import { rowsByHand } from '../csv.ts';
import type { CsvOptions } from '../csv-cells.ts';
import { QuickCsv } from './quick-csv.ts';

const letters = ['a', 'Z', ' ', '0', 'é', '温', '🌡', '\u2028', ';', '|', "'"];
const odd = ['"', '\\', ',', '\t', '\n', '\r', '=', '+', '-', '@', '＝', '\u0000', '\ud800'];
const text = (next: () => number) =>
  Array.from({ length: Math.floor(next() ** 2 * 40) }, () => pick(next, next() < 0.02 ? odd : letters)).join('');
const digits = (next: () => number, count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join('');

/** A text that is mostly a date, of any month and precision, and now and then nearly one. */
function date(next: () => number): string {
  const two = (most: number) => String(Math.floor(next() * (most + 1))).padStart(2, '0');
  const day = `${digits(next, 4)}-${two(13)}-${two(32)}`;
  const time = `${pick(next, ['T', ' ', 'T', 't'])}${two(24)}:${two(60)}`;
  const seconds = next() < 0.8 ? `:${two(60)}` : '';
  const fraction = next() < 0.5 ? `.${digits(next, Math.floor(next() * 8))}` : '';
  const zone = pick(next, ['', 'Z', '+00', '+05:30', '-0800', '+1', 'X', 'Zulu', '+05:30:15', '+05:30:15.5']);
  return pick(next, [day, day + time, day + time + seconds, day + time + seconds + fraction + zone, day + time + seconds + zone]);
}

function value(next: () => number, type: ColumnType): unknown {
  const kind = next();
  if (kind < 0.1) return null;
  if (type === 'date' || type === 'datetime') return kind < 0.9 ? date(next) : pick(next, [459, true, 'soon', '', { a: 1 }]);
  if (type === 'string') return text(next);
  if (type === 'boolean') return next() < 0.5;
  if (type === 'integer') return next() < 0.9 ? Math.floor((next() - 0.5) * 10 ** Math.floor(next() * 16)) : `-${digits(next, 25)}`;
  if (type === 'float') return (next() - 0.5) * 10 ** Math.floor(next() * 40 - 20);
  return pick(next, [[1, 'x,y'], { a: '"' }, [], {}, text(next), 1e300, date(next)]);
}

/** Deflated by us, or by zlib as our first versions did. */
const deflaters: ((bytes: Buffer) => Deflated)[] = [
  deflate,
  (bytes) => ({ ...deflate(bytes), data: deflateRawSync(bytes, { level: 1, finishFlush: constants.Z_FULL_FLUSH }) }),
];

async function both(columns: ResultColumn[], bytes: Buffer, options: CsvOptions): Promise<{ quick: string; byHand: string }> {
  const byHand = new ByteSink(64);
  rowsByHand(columns, options).write(bytes, byHand);
  const quick = await Promise.all(
    deflaters.map(async (deflated) => {
      const out = new ByteSink(64);
      await new QuickCsv(columns, options, rowsByHand(columns, options)).write(deflated(bytes), out);
      return out.written().toString();
    }),
  );
  expect(quick[1] === quick[0]).toBe(true);
  return { quick: quick[0] ?? '', byHand: byHand.written().toString() };
}

const formats = { date_format: 'DD/MM/YY', time_format: 'HH:mm' };
const types: ColumnType[] = ['string', 'integer', 'float', 'boolean', 'datetime', 'date', null];

describe('CSV by the engine', () => {
  test.each(Array.from({ length: 300 }, (_, seed) => seed + 1))('is the CSV by hand, whatever is in the rows (%i)', async (seed) => {
    const next = random(seed * 7919);
    const columns = Array.from({ length: 1 + Math.floor(next() * 6) }, (_, n): ResultColumn => {
      const name = pick(next, [
        '',
        'id',
        'temperature',
        'größe "x"',
        'a,b',
        'a very long name of a column, longer than two words of sixteen',
      ]);
      return { name: `${name}${n}`, type: pick(next, types) };
    });
    const names = columns.map(({ name }) => name);
    const row = () => {
      const cells = columns.map(({ type }, n) => [names[n], value(next, type)]);
      // Some rows are not in our form: another order, a missing column, one too many.
      if (next() < 0.01) cells.reverse();
      if (next() < 0.01) cells.pop();
      if (next() < 0.01) cells.push(['more', 1]);
      return JSON.stringify(Object.fromEntries(cells));
    };
    const rows = Array.from({ length: Math.floor(next() * 400) }, row).join();
    const options: CsvOptions = {
      ...pick(next, [
        formats,
        { date_format: 'YYYY-MM-DD', time_format: 'HH:mm:ss.SSS' },
        { date_format: 'DD, MM und YYYY — ganz ausführlich geschrieben, damit es länger wird', time_format: 'ss' },
        { date_format: 'no date', time_format: '' },
      ]),
      delimiter: pick(next, [',', '\t'] as const),
      raw: next() < 0.3,
    };
    const { quick, byHand } = await both(columns, Buffer.from(next() < 0.5 ? `,${rows}` : rows), options);
    expect(quick).toBe(byHand);
  });

  test('a column alone with nothing in it is still a row', async () => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'string' }];
    expect((await both(columns, Buffer.from('{"a":""},{"a":null},{"a":"x"}'), formats)).quick).toBe('""\r\n""\r\nx\r\n');
  });

  test('dates that become much longer find their room', async () => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'datetime' }];
    const options = { date_format: 'DD '.repeat(300), time_format: 'HH' };
    const rows = Array.from({ length: 2000 }, () => '{"a":"2026-01-31T10:00:00Z"}').join();
    const { quick, byHand } = await both(columns, Buffer.from(rows), options);
    expect(quick === byHand).toBe(true);
  });

  test('rows of many megabytes, and those between them', async () => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'string' }];
    const bytes = Buffer.from(`{"a":"x"},{"a":"${'y'.repeat(9 * 1024 * 1024)}"},{"a":"z"}`);
    const { quick, byHand } = await both(columns, bytes, formats);
    expect(quick === byHand).toBe(true);
    expect((await both(columns, Buffer.from('{"a":"x"}'), formats)).quick).toBe('x\r\n');
  });

  test.each(['{"a":"x"},{"a":"y', '{"a":"x"},{"a":', '{"a":"x"},{"a":12', '{"a":"x"},{"a":"2026-01-', '{"a":"x"},{"a', '{"a":"x"}}'])(
    'a broken chunk is reported, not guessed: %s',
    async (broken) => {
      for (const type of ['string', 'datetime'] as const)
        await expect(both([{ name: 'a', type }], Buffer.from(broken), formats)).rejects.toThrow('not valid JSON');
    },
  );

  test.each([0, 1])('a changed chunk is reported, whichever bit differs (%i)', async (which) => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'string' }];
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, i) => `{"a":"${i * i}"}`).join());
    const chunk = (deflaters[which] as (bytes: Buffer) => Deflated)(bytes);
    const csv = new QuickCsv(columns, formats, rowsByHand(columns, formats));
    for (let bit = 0; bit < chunk.data.length * 8; bit++) {
      const data = Buffer.from(chunk.data);
      data[bit >> 3] = (data[bit >> 3] as number) ^ (1 << (bit & 7));
      const out = new ByteSink(64);
      const outcome = await csv.write({ ...chunk, data }, out).catch((error: unknown) => error);
      // Padding bits in the last byte of a block have no effect.
      if (outcome !== undefined) expect(outcome).toBeInstanceOf(ChunkError);
      else expect(out.length).toBe(300 * 2 + Array.from({ length: 300 }, (_, i) => `${i * i}`).join('').length);
    }
    await expect(csv.write({ ...chunk, data: chunk.data.subarray(0, -1) }, new ByteSink(64))).rejects.toThrow('cut short');
    await expect(csv.write({ ...chunk, length: chunk.length - 1 }, new ByteSink(64))).rejects.toThrow(ChunkError);
    await expect(csv.write({ ...chunk, length: chunk.length + 1 }, new ByteSink(64))).rejects.toThrow(ChunkError);
  });
});
