import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import { expect, test } from 'vitest';
import { collect } from '../../wire/collect.ts';
import { chunksOf } from '../../wire/testing/chunks-of.ts';
import { type CsvOptions, csv } from './csv.ts';

const formats = { date_format: 'DD/MM/YY', time_format: 'HH:mm' };

async function printed(columns: Record<string, ColumnType>, rows: (Record<string, unknown> | string)[], options: Partial<CsvOptions> = {}) {
  const list: ResultColumn[] = Object.entries(columns).map(([name, type]) => ({ name, type }));
  const stored = await chunksOf(
    rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))),
    { chunkRows: 3 },
  );
  const text = Buffer.concat(await collect(csv(stored, list, { ...formats, ...options }))).toString();
  return text.split('\r\n').slice(1, -1);
}

/** Prints one value in a row of its own. */
const cell = async (value: unknown, type: ColumnType = null, options: Partial<CsvOptions> = {}) =>
  (await printed({ a: 'integer', v: type }, [{ a: 1, v: value }], options)).join('\r\n').slice(2);

test('server-behaviour 27.6: booleans, dates in the default formats, nulls and numbers in date columns', async () => {
  const columns = { bool: 'boolean', datetime: 'datetime', date: 'date' } as const;
  const rows = [
    { bool: true, datetime: '2019-05-26T12:39:23.026Z', date: '2019-05-26' },
    { bool: null, datetime: null, date: null },
    { bool: false, datetime: 459, date: 459 },
  ];
  expect(await printed(columns, rows)).toEqual(['true,26/05/19 12:39,26/05/19', ',,', 'false,459,459']);
});

test('server-behaviour 11.4: CRLF, no byte order mark, a header, only the listed columns in their order', async () => {
  const stored = await chunksOf(['{"b":1,"c":2,"a":"x"}', '{"a":"y"}']);
  const columns: ResultColumn[] = [
    { name: 'a', type: 'string' },
    { name: 'b', type: null },
  ];
  const text = Buffer.concat(await collect(csv(stored, columns, formats))).toString();
  expect(text).toBe('a,b\r\nx,1\r\ny,\r\n');
});

test.each<[unknown, string]>([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['cr\rlf', '"cr\rlf"'],
  ['żółć 温度 🌡', 'żółć 温度 🌡'],
  ['back\\slash', 'back\\slash'],
  [' blank ', ' blank '],
  [true, 'true'],
  [false, 'false'],
  [-5, '-5'],
  [1e-7, '1e-7'],
  [0.30000000000000004, '0.30000000000000004'],
  [{ a: [1, 'x'] }, '"{""a"":[1,""x""]}"'],
  [[1, 2], '"[1,2]"'],
  [[], '[]'],
  [undefined, ''],
])('11.4: %j prints as %j', async (value, field) => {
  expect(await cell(value)).toBe(field);
});

test.each(['=1+1', '+a1', '-2+3', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1', '-1+cmd', '+', '-', '+49 (0)x'])(
  'W15: %j is defused, and left alone for machines',
  async (text) => {
    const bare = (field: string) => field.replace(/^"|"$/g, '');
    expect(bare(await cell(text))).toBe(`'${text}`);
    expect(bare(await cell(text, 'string', { raw: true }))).toBe(text);
    expect(bare(await cell(text, 'datetime'))).toBe(`'${text}`);
  },
);

test.each(['-5', '+5', '+49 123', '-1.5e-3', '+49 170/123-45', '-.5', '-12 %', 'a;b', 'a;-5', 'x;+49 123'])(
  'W15: %j is no formula and stays as it is',
  async (text) => {
    expect(await cell(text, 'string')).toBe(text);
    expect(await cell(text)).toBe(text);
  },
);

test.each([
  ['a;=1+1', "a;'=1+1"],
  [';@x', ";'@x"],
  ['a;b;+cmd|x', "a;b;'+cmd|x"],
  ['a\n=1', '"a\n\'=1"'],
  ['a\t=1', "a\t'=1"],
  ['{"k":"x;=1"}', '"{""k"":""x;\'=1""}"'],
])('W15: %j is defused behind what begins a cell elsewhere, and exact for machines', async (text, field) => {
  expect(await cell(text, 'string')).toBe(field);
  expect((await cell(text, 'string', { raw: true })).replace(/^"|"$/g, '').replaceAll('""', '"')).toBe(text);
});

test('11.4: for machines dates are ISO texts, whatever the organisation writes', async () => {
  expect(await printed({ t: 'datetime', d: 'date' }, [{ t: '2026-11-15T10:00:00Z', d: '2026-11-15' }], { raw: true })).toEqual([
    '2026-11-15T10:00:00Z,2026-11-15',
  ]);
});

test('W15: a column name is defused too, a number that no double holds is not', async () => {
  const columns: ResultColumn[] = [{ name: '=cmd()', type: 'integer' }];
  const stored = await chunksOf([JSON.stringify({ '=cmd()': '-9223372036854775808' })]);
  const text = Buffer.concat(await collect(csv(stored, columns, formats))).toString();
  expect(text).toBe("'=cmd()\r\n-9223372036854775808\r\n");
  expect(await cell('-5+1', 'integer')).toBe("'-5+1");
});

test('server-behaviour 11.4: TSV quotes tabs, not commas', async () => {
  const rows = await printed({ a: 'string', b: 'string' }, [{ a: 'x,y', b: 'x\ty' }], { delimiter: '\t' });
  expect(rows).toEqual(['x,y\t"x\ty"']);
});

test.each([
  ['YYYY-MM-DD', 'HH:mm:ss.SSS', '2026-01-02T03:04:05.067Z', '2026-01-02 03:04:05.067'],
  ['MM/DD/YY', 'HH:mm:ss', '2026-01-02T03:04:05+05:30', '01/02/26 03:04:05'],
  ['DD.MM.YYYY', 'HH:mm', '2026-01-02 03:04', '02.01.2026 03:04'],
  ['DD/MM/YY', 'HH:mm', '2026-01-02', '02/01/26 00:00'],
  ['DD, MM', 'HH', '2026-01-02T03:04:05', '"02, 01 03"'],
  ['“DD”', 'HH:mm', '2026-01-02T03:04:05.1', '“02” 03:04'],
  ['DD/MM/YY', 'HH:mm', '2026-02-30T00:00:00Z', '2026-02-30T00:00:00Z'],
  ['DD/MM/YY', 'HH:mm', '2024-02-29T00:00:00Z', '29/02/24 00:00'],
  ['DD/MM/YY', 'HH:mm', '2026-01-02T25:00:00Z', '2026-01-02T25:00:00Z'],
  ['DD/MM/YY', 'HH:mm', '2026-01-02T03:04:05 BC', '2026-01-02T03:04:05 BC'],
  ['DD/MM/YY', 'HH:mm', 'infinity', 'infinity'],
  ['DD/MM/YY', 'HH:mm', '', ''],
])('server-behaviour 11.4: in %s %s the moment %s prints as %s', async (date_format, time_format, value, field) => {
  expect(await cell(value, 'datetime', { date_format, time_format })).toBe(field);
});

test('a lone empty cell is a row all the same', async () => {
  expect(await printed({ a: null }, [{ a: null }, { a: 'x' }])).toEqual(['""', 'x']);
});

test('rows of any order and blanks between values are read as well', async () => {
  const rows = ['{"a":1,"b":"x"}', '{ "a" : 2, "b": "y" }', '{"b":"z","a":3}', '{"a":4,"b":"w","more":[]}', '{"a": 5}'];
  expect(await printed({ a: 'integer', b: 'string', constructor: null }, rows)).toEqual(['1,x,', '2,y,', '3,z,', '4,w,', '5,,']);
});

test('invalid JSON is refused without an endless loop', async () => {
  await expect(printed({ a: null }, ['{"a":"x}'])).rejects.toThrow('not valid JSON');
  await expect(printed({ a: null }, ['{"a":[1}'])).rejects.toThrow('not valid JSON');
  await expect(printed({ a: null }, ['{"a":1'])).rejects.toThrow('not valid JSON');
});

test('random rows print as a slow and simple printer prints them', async () => {
  const pick = <T>(...from: T[]): T => from[Math.floor(Math.random() * from.length)] as T;
  const letters = ['a', ',', '"', '\\', '\n', '\r', '\t', 'é', '温', '🌡', '=', ' ', '}', ']', '\u0001'];
  const text = (most: number) => Array.from({ length: Math.floor(Math.random() * most) }, () => pick(...letters)).join('');
  const value = () => pick<unknown>(text(12), text(300), null, true, false, 0, -1.5e-9, 12345678, { [text(5)]: [text(5), null] }, []);
  const slow = (cell: unknown, delimiter: string) => {
    const shown = cell === null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell);
    return /["\r\n]/.test(shown) || shown.includes(delimiter) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  for (let run = 0; run < 60; run++) {
    const delimiter = pick(',' as const, '\t' as const);
    const names = [...new Set(Array.from({ length: 2 + Math.floor(Math.random() * 6) }, (_, i) => text(30) + i))];
    const rows = Array.from({ length: 20 }, () => Object.fromEntries(names.map((name) => [name, value()])));
    const stored = await chunksOf(
      rows.map((row) => JSON.stringify(row)),
      { chunkRows: 7 },
    );
    const columns = names.map((name) => ({ name, type: null }));
    const printedText = Buffer.concat(await collect(csv(stored, columns, { ...formats, delimiter, raw: true }))).toString();
    const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
    expect(printedText).toBe(lines.map((line) => `${line.map((cell) => slow(cell, delimiter)).join(delimiter)}\r\n`).join(''));
  }
});
