import { expect, test } from 'vitest';
import { Workbook } from './excel/workbook.ts';
import { excel } from './excel.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { type LocalServer, localServer, serverForTest } from './testing/local-server.ts';
import { runOnce } from './testing/run-table.ts';
import { type WorkbookParts, workbookFiles, zipFiles } from './testing/zip-files.ts';

let server: LocalServer;
const workbook = (parts: WorkbookParts) => zipFiles(workbookFiles(parts));
const inline = (...texts: string[]) => `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
const numbers = (...values: (number | string)[]) => `<row>${values.map((value) => `<c><v>${value}</v></c>`).join('')}</row>`;

const mixed = workbook({
  sharedStrings:
    '<si><t>text</t></si><si><r><rPr/><t>rich </t></r><r><t xml:space="preserve">&amp; more</t></r><rPh><t>read aloud</t></rPh></si>',
  styles:
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/><xf numFmtId="46"/></cellXfs>',
  sheets: {
    First: `${inline('n', 's', 'b', 'd', 't', 'days', 'time', 'e')}
      <row r="2"><c r="A2"><v>1.5</v></c><c r="B2" t="s"><v>0</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" s="1"><v>46024</v></c><c r="E2" s="2"><v>46024.5</v></c><c r="F2" s="3"><v>2</v></c><c r="G2" s="4"><v>0.25</v></c><c r="H2" t="e"><v>#DIV/0!</v></c></row>
      <row r="3"/>
      <row r="4"><c r="A4"><f>1+1</f><v>2</v></c><c r="B4" t="s"><v>1</v></c><c r="E4" t="d"><v>2026-01-02T03:04:05</v></c><c r="G4" t="str"><v>_x0041_&lt;&#66;&#x43;&gt;</v></c></row>`,
    Styled: `${inline('a', 'span', 'e')}<row><c><v>1</v></c><c s="5"><v>1.5</v></c></row>
      <row><c s="1"/><c s="5"/></row><row><c/><c/><c t="e"><v>#N/A</v></c></row>
      <row><c t="str"><v></v></c><c s="1"/></row><row><c s="1"/><c s="1"/></row>`,
    'Über &amp; second': `${inline('a')}${numbers(7)}`,
  },
});

describeConnector(excel, {
  setUp: async () => {
    const wide = Array.from({ length: 1000 }, (_, i) => `c${i}`);
    const files: Record<string, Buffer> = {
      '/mixed': mixed,
      '/one': workbook({ sheets: { A: inline('one') + numbers(1) } }),
      '/empty': workbook({ sheets: { A: inline('a', 'b') } }),
      '/wide': workbook({ sheets: { A: inline(...wide) + numbers(...wide.map((_, i) => i)) } }),
      '/many': workbook({ sheets: { A: inline('i', 'x') + Array.from({ length: 300_000 }, (_, i) => numbers(i, Math.sin(i))).join('') } }),
      '/text': Buffer.from('a,b\n1,2\n'),
      '/old': Buffer.from('d0cf11e0a1b11ae1'.padEnd(64, '0'), 'hex'),
    };
    server = await localServer((request, response) => {
      if (request.url === '/slow') return void response.write('PK');
      response.end(files[request.url]);
    });
  },
  tearDown: () => server.close(),
  server: () => ({ host: '127.0.0.1', port: server.port }),
  options: (at) => ({ base_url: `http://127.0.0.1:${at?.port ?? server.port}`, password: 'canary-7f3a' }),
  sql: {
    one: 'url: /one',
    values: {
      'texts, numbers, booleans, dates, errors': {
        query: 'url: /mixed',
        columns: { n: 'float', s: 'string', b: 'boolean', d: 'date', t: 'datetime', days: 'integer', time: 'string', e: null },
        rows: [
          { n: 1.5, s: 'text', b: true, d: '2026-01-02', t: '2026-01-02T12:00:00', days: 2, time: '06:00:00', e: null },
          { n: 2, s: 'rich & more', b: null, d: null, t: '2026-01-02T03:04:05', days: null, time: 'A<BC>', e: null },
        ],
      },
      'a sheet by its name': { query: 'url: /mixed\nsheet_name: Über & second', columns: { a: 'integer' }, rows: [{ a: 7 }] },
      'a sheet by its number': { query: 'url: /mixed\nsheet_name: 2', columns: { a: 'integer' }, rows: [{ a: 7 }] },
      'rows with nothing but a style are none, those with an error are; hours count on beyond a day': {
        query: 'url: /mixed\nsheet_name: Styled',
        columns: { a: 'integer', span: 'string', e: null },
        rows: [
          { a: 1, span: '36:00:00', e: null },
          { a: null, span: null, e: null },
        ],
      },
      'picked columns': {
        query: 'url: /mixed\ncolumns: [s, 0]\nnrows: 1',
        columns: { s: 'string', n: 'float' },
        rows: [{ s: 'text', n: 1.5 }],
      },
    },
    empty: { query: 'url: /empty', columns: { a: null, b: null } },
    wide: () => 'url: /wide',
    many: { query: 'url: /many', rows: 300_000 },
    errors: {
      'no such sheet': {
        query: 'url: /mixed\nsheet_name: Third',
        message: /^There is no sheet 'Third'\. There are: First, Styled, Über & second\.$/,
      },
      'no workbook': { query: 'url: /text', message: /^This is not a whole Excel workbook \(\.xlsx\)\.$/ },
      'an old workbook': { query: 'url: /old', message: /^This is an old \(\.xls\) or a password-protected workbook/ },
    },
    slow: { query: 'url: /slow' },
    long: 'url: /many',
  },
});

const read = async (bytes: Buffer) => {
  const { origin } = await serverForTest((_request, response) => void response.end(bytes));
  return runOnce(excel, {}, `url: ${origin}`);
};

test('security 29: a workbook that grows without measure is refused', async () => {
  const bomb = workbookFiles({ sheets: { A: '' } });
  const rows = Buffer.concat([Buffer.from('<worksheet>'), Buffer.alloc(64 * 1024 ** 2, '<row/>')]);
  await expect(read(zipFiles({ ...bomb, 'xl/worksheets/sheet1.xml': rows }))).rejects.toThrow(
    'This workbook grows too large when it is unpacked.',
  );
  await expect(
    read(zipFiles({ ...bomb, 'xl/sharedStrings.xml': `<sst>${'<si><t>aaaaaaaaaaaaaaaa</t></si>'.repeat(1_000_000)}</sst>` })),
  ).rejects.toThrow(/too large/);
  await expect(read(zipFiles(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, '']))))).rejects.toThrow(
    'This workbook has too many parts.',
  );
  await expect(Workbook.open(workbook({ sheets: { A: inline('a'.repeat(2000)) } }), { entryBytes: 100 })).rejects.toThrow(/too large/);
});

test('security 29: entities of entities are refused with the document type they live in', async () => {
  const files = workbookFiles({ sheets: { A: '' } });
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>';
  await expect(read(zipFiles({ ...files, 'xl/worksheets/sheet1.xml': bomb }))).rejects.toThrow(
    'This workbook holds a part that cannot be read.',
  );
});

test('a workbook cut anywhere is an error, never a hang or a crash', async () => {
  for (let length = 0; length < mixed.length; length += Math.ceil(mixed.length / 60)) {
    await expect(Workbook.open(mixed.subarray(0, length))).rejects.toThrow('This is not a whole Excel workbook (.xlsx).');
  }
});

test('a workbook with any byte changed ends well or with a message', async () => {
  for (let at = 0; at < mixed.length; at += 7) {
    const damaged = Buffer.from(mixed);
    damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
    const outcome = await Workbook.open(damaged)
      .then(
        async (book) => book.sheets[0] && book.readRows(book.sheets[0], async () => true),
        (error: unknown) => error,
      )
      .catch((error: unknown) => error);
    if (outcome !== undefined) expect(outcome).toMatchObject({ name: 'QueryError' });
  }
});

test('the calendar of 1904 and the leap year that never was', async () => {
  const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
  const dates = (workbookPr: string) =>
    read(
      workbook({
        workbookPr,
        styles,
        sheets: { A: inline('d') + numbers(1, '').replaceAll('<c>', '<c s="0">') + numbers(61).replace('<c>', '<c s="0">') },
      }),
    );
  expect((await dates('')).rows).toEqual([{ d: '1900-01-01' }, { d: '1900-03-01' }]);
  expect((await dates('<workbookPr date1904="1"/>')).rows).toEqual([{ d: '1904-01-02' }, { d: '1904-03-02' }]);
});

test('names with a prefix and a mark inside an attribute are read', async () => {
  const files = workbookFiles({ sheets: { A: '' } });
  const sheet = `<x:worksheet xmlns:x="a>b"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[a<b]]></x:t></x:is></x:c></x:row><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
  expect((await read(zipFiles({ ...files, 'xl/worksheets/sheet1.xml': sheet }))).rows).toEqual([{ 'a<b': 1 }]);
});
