import { expect, test } from 'vitest';
import type { Chunk } from '../chunk.ts';
import { ChunkWriter, type ChunkWriterOptions } from '../chunk-writer.ts';
import { collect } from '../collect.ts';
import { readRows } from '../read-rows.ts';
import { type CopyColumn, CopyTextToJson } from './copy-text.ts';

async function copied(columns: CopyColumn[], parts: Buffer[], options?: ChunkWriterOptions) {
  const chunks: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void chunks.push(chunk), options);
  const copy = new CopyTextToJson(columns, writer);
  for (const part of parts) if (!copy.push(part)) await writer.ready();
  copy.finish();
  await writer.finish();
  return (await collect(readRows(chunks))).flat();
}

const one = async (oid: number, field: string) => (await copied([{ name: 'v', oid }], [Buffer.from(`${field}\n`)]))[0]?.v;

test.each<[string, number, string, unknown]>([
  ['bool', 16, 't', true],
  ['bool', 16, 'f', false],
  ['any', 25, '\\N', null],
  ['any', 701, '\\N', null],
  ['int2', 21, '-7', -7],
  ['int4', 23, '2147483647', 2147483647],
  ['int8', 20, '999999999999999', 999999999999999],
  ['int8', 20, '9007199254740991', 9007199254740991],
  ['int8', 20, '9007199254740993', '9007199254740993'],
  ['int8', 20, '-9223372036854775808', '-9223372036854775808'],
  ['float4', 700, '0.1', 0.1],
  ['float8', 701, '0.30000000000000004', 0.30000000000000004],
  ['float8', 701, '1e+300', 1e300],
  ['float8', 701, '-0', -0],
  ['float8', 701, 'NaN', null],
  ['float8', 701, 'Infinity', null],
  ['float8', 701, '-Infinity', null],
  ['numeric', 1700, '1.10', 1.1],
  ['numeric', 1700, '12345678901234567890.5', '12345678901234567890.5'],
  ['numeric', 1700, '0.10000000000000000000', 0.1],
  ['numeric', 1700, 'NaN', null],
  ['numeric', 1700, '-Infinity', null],
  ['timestamptz', 1184, '2026-01-01 10:00:00.123456+00', '2026-01-01T10:00:00.123Z'],
  ['timestamptz', 1184, '2026-01-01 10:00:00+00', '2026-01-01T10:00:00Z'],
  ['timestamptz', 1184, '2026-01-01 10:00:00.5+00', '2026-01-01T10:00:00.500Z'],
  ['timestamptz', 1184, '2026-01-01 10:00:00.0001+00', '2026-01-01T10:00:00.000Z'],
  ['timestamptz', 1184, '2026-01-01 10:00:00.000000+00', '2026-01-01T10:00:00Z'],
  ['timestamptz', 1184, '2026-01-01 10:00:00+05:30', '2026-01-01T10:00:00+05:30'],
  ['timestamptz', 1184, '2026-01-01 10:00:00-03', '2026-01-01T10:00:00-03:00'],
  ['timestamptz', 1184, 'infinity', 'infinity'],
  ['timestamptz', 1184, '-infinity', '-infinity'],
  ['timestamptz', 1184, '0044-03-15 10:00:00+00 BC', '0044-03-15 10:00:00+00 BC'],
  ['timestamptz', 1184, '12026-01-01 10:00:00+00', '12026-01-01 10:00:00+00'],
  ['timestamp', 1114, '2026-01-01 10:00:00', '2026-01-01T10:00:00'],
  ['timestamp', 1114, '2026-01-01 10:00:00.25', '2026-01-01T10:00:00.250'],
  ['date', 1082, '2026-01-01', '2026-01-01'],
  ['date', 1082, '0044-03-15 BC', '0044-03-15 BC'],
  ['date', 1082, 'infinity', 'infinity'],
  ['time', 1083, '10:00:00.123456', '10:00:00.123'],
  ['timetz', 1266, '10:00:00+02', '10:00:00+02'],
  ['interval', 1186, '1 day 00:00:05', '1 day, 0:00:05'],
  ['interval', 1186, '-1 days +02:03:00', '-1 day, 2:03:00'],
  ['json', 114, '{"a": [1, null], "b": "x"}', { a: [1, null], b: 'x' }],
  ['json', 114, '  {\\n"a":\\t"q\\\\"q\\\\n"}\\n ', { a: 'q"q\n' }],
  ['json', 114, '{"a":12345678901234567890,"b":"q\\\\"12345678901234567890"}', { a: '12345678901234567890', b: 'q"12345678901234567890' }],
  ['jsonb', 3802, '{"a": [1.10000000000000000001, 1.5]}', { a: ['1.10000000000000000001', 1.5] }],
  ['jsonb[]', 3807, '{"{\\\\"a\\\\": 12345678901234567890}"}', [{ a: '12345678901234567890' }]],
  ['jsonb', 3802, ' 5 ', 5],
  ['jsonb', 3802, '"text"', 'text'],
  ['jsonb', 3802, 'null', null],
  ['bytea', 17, '\\\\x00ff0a', '00ff0a'],
  ['bytea', 17, '\\\\x', ''],
  ['uuid', 2950, '0190163d-8694-739b-aea5-966c26f8ad90', '0190163d-8694-739b-aea5-966c26f8ad90'],
  ['text', 25, '', ''],
  ['text', 25, 'żółć 温度 🌡', 'żółć 温度 🌡'],
  ['text', 25, 'a\\tb\\nc\\rd\\be\\ff\\vg\\\\h"i', 'a\tb\nc\rd\be\ff\vg\\h"i'],
  ['text', 25, '\\\\N', '\\N'],
  ['text', 25, '\\101\\x42\\.\u0001\u007f', 'AB.\u0001\u007f'],
  ['text', 25, '{not an array}', '{not an array}'],
  ['int4[]', 1007, '{1,NULL,3}', [1, null, 3]],
  [
    'int4[]',
    1007,
    '{{1,2},{3,4}}',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['int4[]', 1007, '[0:1]={1,2}', [1, 2]],
  ['int8[]', 1016, '{9007199254740993}', ['9007199254740993']],
  ['text[]', 1009, '{a,"b c","NULL",NULL,"q\\\\"q","back\\\\\\\\slash",""}', ['a', 'b c', 'NULL', null, 'q"q', 'back\\slash', '']],
  ['text[]', 1009, '{}', []],
  ['bool[]', 1000, '{t,f}', [true, false]],
  ['timestamptz[]', 1185, '{"2026-01-01 10:00:00+00"}', ['2026-01-01T10:00:00Z']],
  ['jsonb[]', 3807, '{"{\\\\"a\\\\": 1}"}', [{ a: 1 }]],
  ['int4range', 3904, '[1,5)', '[1, 5)'],
  ['int4range', 3904, '(,5]', '(, 5]'],
  ['int4range', 3904, 'empty', ''],
  ['tsrange', 3908, '["2026-01-01 10:00:00","2026-01-02 10:00:00")', '[2026-01-01 10:00:00, 2026-01-02 10:00:00)'],
  ['inet', 869, '10.0.0.1/8', '10.0.0.1/8'],
  ['money', 790, '-$5.00', '-$5.00'],
  ['point', 600, '(1,2)', '(1,2)'],
])('1.3: %s (%i) %j is %j', async (_type, oid, field, value) => {
  expect(await one(oid, field)).toEqual(value);
});

/** Escapes a text as PostgreSQL's backend does. */
const escaped = (text: string | null) =>
  text === null
    ? '\\N'
    : text.replace(
        /[\\\b\f\n\r\t\v]/g,
        (c) => ({ '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' })[c] ?? c,
      );

const pick = <T>(...from: T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const letters = [
  'a',
  'Z',
  '0',
  ' ',
  '"',
  '\\',
  '\n',
  '\t',
  '\r',
  '\v',
  '\b',
  '\f',
  '\u0001',
  '\u001f',
  '\u007f',
  'é',
  '温',
  '🌡',
  '{',
  ',',
  "'",
];
const randomText = () => Array.from({ length: pick(0, 1, 7, 8, 9, 40, 3000) }, () => pick(...letters)).join('');
const two = (n: number) => String(n).padStart(2, '0');

/** A random value of a type: its text in PostgreSQL and what the result should hold. */
const makers: Record<number, () => [string, unknown]> = {
  16: () => pick<[string, boolean]>(['t', true], ['f', false]),
  20: () => {
    const n = BigInt.asIntN(64, BigInt(Math.floor(Math.random() * 2 ** 32)) ** BigInt(pick(1, 2)));
    return [String(n), BigInt(String(Number(n)).replace(/e.*/, '')) === n ? Number(n) : String(n)];
  },
  25: () => {
    const text = randomText();
    return [text, text];
  },
  701: () => {
    const n = pick(Math.random(), Math.random() * 1e300, Math.fround(Math.random()), 0, -1.5);
    return [String(n), n];
  },
  1184: () => {
    const micros = String(Math.floor(Math.random() * 1e6))
      .padStart(6, '0')
      .replace(/0+$/, '');
    const time = `${two(pick(0, 10, 23))}:${two(pick(0, 59))}:${two(pick(0, 30))}`;
    const date = `${pick('0001', '1999', '2026')}-${two(pick(1, 12))}-${two(pick(1, 28))}`;
    return [`${date} ${time}${micros && `.${micros}`}+00`, `${date}T${time}${micros && `.${micros.slice(0, 3).padEnd(3, '0')}`}Z`];
  },
  3802: () => {
    const value = { [randomText()]: [randomText(), 1, null] };
    return [JSON.stringify(value), value];
  },
};

test('random rows, cut at random places, come out as they went in', async () => {
  for (let run = 0; run < 60; run++) {
    const columns = Array.from({ length: pick(1, 2, 6) }, (_, i) => ({
      name: pick('a', 'żółć "x"', 'a longer column name') + i,
      oid: Number(pick(...Object.keys(makers))),
    }));
    const cells = Array.from({ length: pick(1, 20, 60) }, () =>
      columns.map(({ oid }) => (Math.random() < 0.1 ? ([null, null] as const) : (makers[oid] as () => [string, unknown])())),
    );
    const bytes = Buffer.from(cells.map((row) => `${row.map(([text]) => escaped(text)).join('\t')}\n`).join(''));
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const next = at + pick(1, 3, 50, 5000, 200_000);
      parts.push(bytes.subarray(at, next));
      at = next;
    }
    const rows = await copied(columns, parts, { chunkBytes: pick(100, 10_000) });
    expect(rows).toEqual(cells.map((row) => Object.fromEntries(row.map(([, value], i) => [columns[i]?.name, value]))));
  }
});

test('a query without columns has rows all the same', async () => {
  expect(await copied([], [Buffer.from('\n\n')])).toEqual([{}, {}]);
});

test('a row of another shape is refused', async () => {
  const columns = [
    { name: 'a', oid: 23 },
    { name: 'b', oid: 23 },
  ];
  await expect(copied(columns, [Buffer.from('1\n')])).rejects.toThrow('not as many fields');
  await expect(copied(columns, [Buffer.from('1\t2\t3\n')])).rejects.toThrow('not as many fields');
  await expect(copied(columns, [Buffer.from('1\t2')])).rejects.toThrow('in the middle of a row');
});

test('W35: a row that never ends is refused before it fills the memory', async () => {
  const part = Buffer.alloc(100_000, 'x');
  const endless = Array.from({ length: 100 }, () => part);
  await expect(copied([{ name: 'a', oid: 25 }], endless, { limits: { rowBytes: 1_000_000 } })).rejects.toThrow(
    'A row of the result is larger than',
  );
});
