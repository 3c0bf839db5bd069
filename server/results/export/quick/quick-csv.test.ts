import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { pick, random } from '../../../testing/random.ts';
import { ByteSink } from '../../../wire/byte-sink.ts';
import { rowsByHand } from '../csv.ts';
import type { CsvOptions } from '../csv-cells.ts';
import { QuickCsv } from './quick-csv.ts';

const letters = ['a', 'Z', ' ', '0', 'é', '温', '🌡', '\u2028', ';', '|', "'"];
const odd = ['"', '\\', ',', '\t', '\n', '\r', '=', '+', '-', '@', '＝', '\u0000', '\ud800'];
const text = (next: () => number) =>
  Array.from({ length: Math.floor(next() ** 2 * 40) }, () => pick(next, next() < 0.02 ? odd : letters)).join('');
const digits = (next: () => number, count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join('');

/** Mostly a date, of any month and any precision, now and then one that is nearly one. */
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

function both(columns: ResultColumn[], bytes: Buffer, options: CsvOptions): { quick: string; byHand: string } {
  const [quick, byHand] = [new ByteSink(64), new ByteSink(64)];
  new QuickCsv(columns, options, rowsByHand(columns, options)).write(bytes, quick);
  rowsByHand(columns, options).write(bytes, byHand);
  return { quick: quick.written().toString(), byHand: byHand.written().toString() };
}

const formats = { date_format: 'DD/MM/YY', time_format: 'HH:mm' };
const types: ColumnType[] = ['string', 'integer', 'float', 'boolean', 'datetime', 'date', null];

describe('CSV by the engine', () => {
  test('is made of the source beside it (npm run wasm)', () => {
    const at = (name: string) => readFileSync(join(import.meta.dirname, name));
    const checksum = createHash('sha256').update(at('csv-rows.as')).digest('hex');
    expect(at('csv-rows.wasm').subarray(-64).toString()).toBe(checksum);
  });

  test.each(Array.from({ length: 300 }, (_, seed) => seed + 1))('is the CSV by hand, whatever is in the rows (%i)', (seed) => {
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
      // Now and then not as we write them: another order, a column missing, one too many.
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
    const { quick, byHand } = both(columns, Buffer.from(next() < 0.5 ? `,${rows}` : rows), options);
    expect(quick).toBe(byHand);
  });

  test('a column alone with nothing in it is still a row', () => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'string' }];
    expect(both(columns, Buffer.from('{"a":""},{"a":null},{"a":"x"}'), formats).quick).toBe('""\r\n""\r\nx\r\n');
  });

  test('dates that become much longer find their room', () => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'datetime' }];
    const options = { date_format: 'DD '.repeat(300), time_format: 'HH' };
    const rows = Array.from({ length: 2000 }, () => '{"a":"2026-01-31T10:00:00Z"}').join();
    const { quick, byHand } = both(columns, Buffer.from(rows), options);
    expect(quick === byHand).toBe(true);
  });

  test('rows of many megabytes, and those between them', () => {
    const columns: ResultColumn[] = [{ name: 'a', type: 'string' }];
    const bytes = Buffer.from(`{"a":"x"},{"a":"${'y'.repeat(9 * 1024 * 1024)}"},{"a":"z"}`);
    const { quick, byHand } = both(columns, bytes, formats);
    expect(quick === byHand).toBe(true);
    expect(both(columns, Buffer.from('{"a":"x"}'), formats).quick).toBe('x\r\n');
  });

  test.each(['{"a":"x"},{"a":"y', '{"a":"x"},{"a":', '{"a":"x"},{"a":12', '{"a":"x"},{"a":"2026-01-', '{"a":"x"},{"a', '{"a":"x"}}'])(
    'a chunk that is broken is told, not guessed: %s',
    (broken) => {
      for (const type of ['string', 'datetime'] as const)
        expect(() => both([{ name: 'a', type }], Buffer.from(broken), formats)).toThrow('not valid JSON');
    },
  );
});
