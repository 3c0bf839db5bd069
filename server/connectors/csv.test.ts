import { once, setMaxListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { csv } from './csv.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { type LocalServer, localServer, localSource, serverForTest } from './testing/local-server.ts';
import { runOnce } from './testing/run-table.ts';

let server: LocalServer;
const million = 1_000_000;

describeConnector(csv, {
  setUp: async () => {
    server = await localServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url, 'http://x');
      if (pathname === '/slow') return void response.write('a,b\n1,2\n');
      if (pathname === '/missing') return void response.writeHead(404).end('no such file');
      if (pathname === '/long' || pathname === '/many') {
        setMaxListeners(0, response);
        response.write('time,device,value\n');
        for (let i = 0; i < million && !response.destroyed; i += 10_000) {
          const lines = Array.from(
            { length: 10_000 },
            (_, n) => `2026-01-01 00:00:${String(n % 60).padStart(2, '0')},device-${n % 50},${(i + n) / 8}\n`,
          );
          if (!response.write(lines.join(''))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
        return void response.end();
      }
      response.end(request.body || (searchParams.get('text') ?? 'one\n1\n'));
    });
  },
  ...localSource(() => server),
  sql: {
    one: 'url: /',
    values: {
      'types are found, absent cells are null': {
        query: `url: '/?text=i,f,b,s,t,d,n%0A1,1.5,true,x,2026-01-02 03:04:05,2026-01-02,%0A2,2,false,,2026-01-02 03:04:06,2026-01-03,NA%0A'`,
        columns: { i: 'integer', f: 'float', b: 'boolean', s: 'string', t: 'datetime', d: 'date', n: null },
        rows: [
          { i: 1, f: 1.5, b: true, s: 'x', t: '2026-01-02T03:04:05', d: '2026-01-02', n: null },
          { i: 2, f: 2, b: false, s: null, t: '2026-01-02T03:04:06', d: '2026-01-03', n: null },
        ],
      },
      'big integers and decimals without loss': {
        query: `url: '/?text=a,b%0A9223372036854775807,0.1234567890123456789%0A1,0.5%0A'`,
        columns: { a: 'integer', b: 'float' },
        rows: [
          { a: '9223372036854775807', b: '0.1234567890123456789' },
          { a: 1, b: 0.5 },
        ],
      },
      'design 8: a decimal that no double holds is a number': {
        query: `url: '/?text=a%0A0.10000000000000000001%0A'`,
        columns: { a: 'float' },
        rows: [{ a: '0.10000000000000000001' }],
      },
      unicode: { query: `url: '/?text=%EF%BB%BFgröße%0AΩ🚀%0A'`, columns: { größe: 'string' }, rows: [{ größe: 'Ω🚀' }] },
      'equal and missing names': {
        query: `url: '/?text=a,a,,__proto__%0A1,2,3,4%0A'`,
        columns: { a: 'integer', a1: 'integer', column_3: 'integer', ['__proto__']: 'integer' },
        rows: [JSON.parse('{"a":1,"a1":2,"column_3":3,"__proto__":4}')],
      },
      'the reader’s options': {
        query: `{url: '/?text=junk%0Aa;b;c%0A1,5;2;3%0A2,5;4;5%0A3,5;6;7%0A', sep: ;, decimal: ',', skiprows: 1, nrows: 2, columns: [c, a]}`,
        columns: { c: 'integer', a: 'float' },
        rows: [
          { c: 3, a: 1.5 },
          { c: 5, a: 2.5 },
        ],
      },
      'no header': {
        query: `{url: '/?text=1,2%0A3,4%0A', header: false}`,
        columns: { column_1: 'integer', column_2: 'integer' },
        rows: [
          { column_1: 1, column_2: 2 },
          { column_1: 3, column_2: 4 },
        ],
      },
      'section 19: header null is pandas’ way to say that there is none': {
        query: `{url: '/?text=1,2%0A3,4%0A', header: null}`,
        columns: { column_1: 'integer', column_2: 'integer' },
        rows: [
          { column_1: 1, column_2: 2 },
          { column_1: 3, column_2: 4 },
        ],
      },
      'own names': { query: `{url: '/?text=1,2%0A', names: [x, y]}`, columns: { x: 'integer', y: 'integer' }, rows: [{ x: 1, y: 2 }] },
      'own names instead of the header': {
        query: `{url: '/?text=a,b%0A1,2%0A', names: [x, y], header: 0}`,
        columns: { x: 'integer', y: 'integer' },
        rows: [{ x: 1, y: 2 }],
      },
      'tabs as pandas writes them': {
        query: `{url: '/?text=a%09b%0A1%092%0A', delimiter: '\\t', usecols: [1]}`,
        columns: { b: 'integer' },
        rows: [{ b: 2 }],
      },
    },
    empty: { query: `url: '/?text=a,b%0A'`, columns: { a: null, b: null } },
    wide: (columns) =>
      `url: '/?text=${Array.from({ length: columns }, (_, i) => `c${i}`).join(',')}%0A${Array.from({ length: columns }, () => 1).join(',')}'`,
    many: { query: 'url: /many', rows: million },
    errors: {
      'no address': { query: 'sep: a', message: /^Query must include 'url' option\.$/ },
      'no file': { query: 'url: /missing', message: /^Failed to execute query\. Return Code: 404 Reason: no such file$/ },
      'an unknown option': { query: 'url: /\nengine: python', message: /^Unknown option 'engine'\. There are: url, / },
      'an unknown column': { query: 'url: /\ncolumns: [two]', message: /^There is no column 'two'\. There are: one\.$/ },
      'an unknown encoding': { query: 'url: /\nencoding: utf-9', message: /^The encoding 'utf-9' is not known\.$/ },
    },
    slow: { query: 'url: /slow' },
    long: 'url: /long',
  },
});

test('a row that is wider than the rest is an error, not a lost cell', async () => {
  const { origin } = await serverForTest((_request, response) => void response.end(`a,b\n${'1,2\n'.repeat(6000)}1,2,3\n`));
  await expect(runOnce(csv, {}, `url: ${origin}`)).rejects.toThrow('Row 6001 has 3 cells, the rows before it have 2.');
});

test('other encodings are read, and an unknown one is an error', async () => {
  const { origin } = await serverForTest((_request, response) => void response.end(Buffer.from('gr\xf6\xdfe\n1\n', 'latin1')));
  expect((await runOnce(csv, {}, `url: ${origin}\nencoding: latin-1`)).rows).toEqual([{ größe: 1 }]);
  await expect(runOnce(csv, {}, `url: ${origin}`)).rejects.toThrow(
    "The file is not in the encoding utf-8. Name its own, such as 'encoding: latin-1'.",
  );
});

test('a file that is packed by gzip is unpacked', async () => {
  const { origin } = await serverForTest((_request, response) => void response.end(gzipSync('größe,b\n1,2\n')));
  expect((await runOnce(csv, {}, `url: ${origin}/file.csv.gz`)).rows).toEqual([{ größe: 1, b: 2 }]);
});

test('a redirect is followed, the password is not sent along', async () => {
  const other = await serverForTest((_request, response) => void response.end('a\n1\n'));
  const first = await serverForTest((_request, response) => void response.writeHead(302, { location: `${other.origin}/file.csv` }).end());
  expect((await runOnce(csv, { base_url: first.origin, password: 'canary-7f3a' }, 'url: /', {})).rows).toEqual([{ a: 1 }]);
  expect(first.requests[0]?.headers.authorization).toBeDefined();
  expect(other.requests[0]?.headers.authorization).toBeUndefined();
});

test('reading stops when there are enough rows', async () => {
  let isGone = false;
  const { origin } = await serverForTest((_request, response) => {
    response.on('close', () => (isGone = true));
    response.write(`a\n${'1\n'.repeat(1000)}`);
  });
  expect((await runOnce(csv, {}, `url: ${origin}\nnrows: 10`)).rows).toHaveLength(10);
  await expect.poll(() => isGone).toBe(true);
});
