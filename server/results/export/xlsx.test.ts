import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { expect, test } from 'vitest';
import { collect } from '../../wire/collect.ts';
import { chunksOf } from '../../wire/testing/chunks-of.ts';
import { xlsx } from './xlsx.ts';
import { columnLetters, numberFormat } from './xlsx-parts.ts';

const formats = { date_format: 'DD/MM/YY', time_format: 'HH:mm' };

/** Unpacks the files of an archive by its directory, and checks each. */
function unzipped(archive: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  let at = archive.readUInt32LE(archive.length - 6);
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const [checksum, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [number, number, number];
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = archive.readUInt32LE(at + 42) + 30 + nameLength;
    const bytes = inflateRawSync(archive.subarray(start, start + packed));
    expect([bytes.length, crc32(bytes)]).toEqual([size, checksum]);
    files[name] = bytes.toString();
    at += 46 + nameLength + extraLength;
  }
  return files;
}

async function book(columns: ResultColumn[], rows: Record<string, unknown>[], maxRows?: number) {
  const stored = await chunksOf(
    rows.map((row) => JSON.stringify(row)),
    { chunkRows: 4 },
  );
  return Buffer.concat(await collect(xlsx(stored, columns, formats, maxRows)));
}

const sheetOf = async (type: ResultColumn['type'], value: unknown) =>
  /<row r="2">(.*)<\/row>/s.exec(unzipped(await book([{ name: 'v', type }], [{ v: value }]))['xl/worksheets/sheet1.xml'] ?? '')?.[1];
const inline = (text: string, space = true) => `<c r="A2" t="inlineStr"><is><t${space ? ' xml:space="preserve"' : ''}>${text}</t></is></c>`;

test.each<[ResultColumn['type'], unknown, string]>([
  ['integer', -5, '<c r="A2"><v>-5</v></c>'],
  ['float', 0.30000000000000004, '<c r="A2"><v>0.30000000000000004</v></c>'],
  ['integer', '9223372036854775807', inline('9223372036854775807', false)],
  ['boolean', true, '<c r="A2" t="b"><v>1</v></c>'],
  ['boolean', false, '<c r="A2" t="b"><v>0</v></c>'],
  ['string', null, ''],
  ['string', '', inline('', false)],
  ['string', '=1+1', inline('=1+1', false)],
  ['string', 'a<b & c>', inline('a&lt;b &amp; c&gt;')],
  ['string', ' blank ', inline(' blank ')],
  ['string', 'bell\u0007 nul\u0000 \uffff\ufffe tab\t', inline('bell nul  tab\t')],
  ['string', 'two\r\nlines "q"', inline('two&#13;\nlines "q"')],
  ['string', '_x0041_ and x_x', inline('_x005F_x0041_ and x_x')],
  ['string', 'device_1 żółć 🌡', inline('device_1 żółć 🌡', false)],
  ['string', '\ud800', inline('\ufffd')],
  [null, { a: [1] }, inline('{"a":[1]}')],
  ['date', '2026-01-31', '<c r="A2" s="1"><v>46053</v></c>'],
  ['datetime', '2026-01-31T00:00:00Z', '<c r="A2" s="2"><v>46053</v></c>'],
  ['datetime', '2026-01-31T12:00:00+05:30', '<c r="A2" s="2"><v>46053.5000000000</v></c>'],
  ['datetime', '2019-05-26T12:39:23.026Z', '<c r="A2" s="2"><v>43611.5273498380</v></c>'],
  ['datetime', '1900-02-28T00:00:00', inline('1900-02-28T00:00:00', false)],
  ['datetime', '1900-03-01T00:00:00', '<c r="A2" s="2"><v>61</v></c>'],
  ['datetime', '9999-12-31T23:59:59.999', '<c r="A2" s="2"><v>2958465.9999999884</v></c>'],
  ['datetime', 'infinity', inline('infinity', false)],
  ['datetime', 459, '<c r="A2"><v>459</v></c>'],
])('server-behaviour 11.5: a cell of type %s with %j', async (type, value, cell) => {
  expect(await sheetOf(type, value)).toBe(cell);
});

test('server-behaviour 11.5: numbers in JSON columns that no double holds are text', async () => {
  const stored = await chunksOf(['{"v":12345678901234567890}', '{"v":1234567890123456}']);
  const sheet = unzipped(Buffer.concat(await collect(xlsx(stored, [{ name: 'v', type: null }], formats))))['xl/worksheets/sheet1.xml'];
  expect(sheet).toContain('>12345678901234567890</t>');
  expect(sheet).toContain('<v>1234567890123456</v>');
});

test('server-behaviour 11.5: a text is cut to what a cell holds, and says so', async () => {
  const read = async (text: string) => /<t[^>]*>(.*)<\/t>/.exec((await sheetOf('string', text)) ?? '')?.[1] ?? '';
  const kept = async (text: string) => (await read(text)).length;
  expect(await kept('x'.repeat(32_767))).toBe(32_767);
  expect(await kept('y'.repeat(40_000))).toBe(32_767);
  expect(await read(`${'z'.repeat(32_765)}🌡!`)).toBe(`${'z'.repeat(32_765)}…`);
  expect(await read('w'.repeat(32_767))).not.toContain('…');
});

test('server-behaviour 11.5: sheets that come from one large chunk are all there', async () => {
  const rows = Array.from({ length: 6000 }, (_, i) => JSON.stringify({ n: i, text: `row ${i} ${'x'.repeat(60)}` }));
  const columns: ResultColumn[] = [
    { name: 'n', type: 'integer' },
    { name: 'text', type: 'string' },
  ];
  const stored = await chunksOf(rows, { chunkRows: 6000, chunkBytes: 4_000_000 });
  expect(stored).toHaveLength(1);
  const files = unzipped(Buffer.concat(await collect(xlsx(stored, columns, formats, 1001))));
  const sheets = Object.entries(files).filter(([name]) => name.startsWith('xl/worksheets/'));
  const numbers = sheets.flatMap(([, text]) => Array.from(text.matchAll(/<c r="A\d+"><v>(\d+)/g), (found) => Number(found[1])));
  expect(sheets).toHaveLength(6);
  expect(sheets.filter(([, text]) => text.includes('tabSelected')).map(([name]) => name)).toEqual(['xl/worksheets/sheet1.xml']);
  expect(numbers).toEqual(rows.map((_, i) => i));
});

test('server-behaviour 11.5: rows that a sheet cannot hold go on in the next, under the same header', async () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({ n: i }));
  const files = unzipped(await book([{ name: 'n', type: 'integer' }], rows, 4));
  const numbers = (sheet: number) =>
    Array.from((files[`xl/worksheets/sheet${sheet}.xml`] ?? '').matchAll(/<c r="A(\d)"><v>(\d)/g), (m) => [Number(m[1]), Number(m[2])]);
  expect([1, 2, 3, 4].map(numbers)).toEqual([
    [
      [2, 0],
      [3, 1],
      [4, 2],
    ],
    [
      [2, 3],
      [3, 4],
      [4, 5],
    ],
    [
      [2, 6],
      [3, 7],
      [4, 8],
    ],
    [[2, 9]],
  ]);
  for (const n of [1, 2, 3, 4])
    expect(files[`xl/worksheets/sheet${n}.xml`]).toMatch(/^<\?xml.*<row r="1"><c r="A1"[^>]*s="3".*<\/worksheet>$/s);
  expect(files['xl/workbook.xml']).toContain('<sheet name="result 4" sheetId="4" r:id="rId4"/>');
  expect(files['[Content_Types].xml']).toContain('/xl/worksheets/sheet4.xml');
});

test('server-behaviour 11.5: a sheet that is just full opens no further one, an empty result has its header', async () => {
  const full = unzipped(await book([{ name: 'n', type: 'integer' }], [{ n: 1 }, { n: 2 }, { n: 3 }], 4));
  expect(Object.keys(full).filter((name) => name.includes('worksheets'))).toEqual(['xl/worksheets/sheet1.xml']);
  const empty = unzipped(await book([{ name: '=n & m', type: 'integer' }], []));
  expect(empty['xl/worksheets/sheet1.xml']).toContain('>=n &amp; m</t></is></c></row></sheetData></worksheet>');
});

test('columns are lettered and formats translated as spreadsheets do', () => {
  expect([1, 26, 27, 52, 702, 703, 16_384].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'ZZ', 'AAA', 'XFD']);
  expect(numberFormat('DD/MM/YYYY HH:mm:ss.SSS')).toBe('dd/mm/yyyy hh:mm:ss.000');
  expect(numberFormat('YY"D"h')).toBe('yy\\"\\D\\"\\h');
});

const script = `
import sys, zipfile, xml.dom.minidom as dom
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
for name in book.namelist(): dom.parseString(book.read(name))
sheet = dom.parseString(book.read('xl/worksheets/sheet1.xml'))
print(len(sheet.getElementsByTagName('row')), len(sheet.getElementsByTagName('c')))
`;
const hasPython = (() => {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasPython)('another unzipper and a strict XML reader agree', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-xlsx-'));
  try {
    const rows = Array.from({ length: 3000 }, (_, i) => ({ time: '2026-01-31T10:00:00.123Z', text: `"<${i}>" & \u0001`, n: i / 7 }));
    const columns: ResultColumn[] = [
      { name: 'time', type: 'datetime' },
      { name: 'text', type: 'string' },
      { name: 'n', type: 'float' },
    ];
    writeFileSync(join(folder, 'book.xlsx'), await book(columns, rows));
    expect(String(execFileSync('python3', ['-c', script, join(folder, 'book.xlsx')])).trim()).toBe('3001 9003');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
