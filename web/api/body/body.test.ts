import { afterEach, describe, expect, test, vi } from 'vitest';
import { RowSplitter } from './RowSplitter.ts';
import { readBody } from './readBody.ts';
import { createSplitting, type FromSplitter, type ToSplitter } from './splitting.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const parsedBy = (text: string, cut: number, sliceBytes: number) => {
  const splitter = new RowSplitter(sliceBytes);
  const bytes = encode(text);
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += cut) slices.push(...splitter.push(bytes.subarray(at, at + cut)));
  const { slice, envelope } = splitter.end();
  if (slice !== null) slices.push(slice);
  return { slices, rows: slices.flatMap((one) => JSON.parse(one) as unknown[]), reply: JSON.parse(envelope) };
};

const hostileRows = [
  { a: 1, b: 'plain' },
  { a: null, b: '}{][,":\\' },
  { a: { rows: [{ x: [1, [2, '"']] }] }, b: 'ünï – 🙂 \u2028' },
  { rows: '"rows":[', b: '\\"]}}' },
  { a: -1.5e-7, b: '' },
];
const replyOf = (rows: unknown[], beside = {}) => ({
  ...beside,
  query_result: {
    id: 7,
    query: 'select "rows":[ from \\" {',
    data: {
      columns: [
        { name: 'rows', type: null },
        { name: 'b', friendly_name: '"rows":[', type: 'string' },
      ],
      rows,
      log: ['rows', '[{'],
    },
    runtime: 1,
  },
});

describe('rows are cut out of a reply', () => {
  test.each([1, 2, 3, 7, 64, 100_000])('the same rows and the same reply, whatever is in them, %i bytes at a time', (cut) => {
    for (const beside of [{}, { job: { id: 'x', rows: [1, { rows: [] }] } }]) {
      for (const space of [0, 2]) {
        const text = JSON.stringify(replyOf(hostileRows, beside), null, space);
        for (const sliceBytes of [1, 20, 1000]) {
          const { rows, reply } = parsedBy(text, cut, sliceBytes);
          expect(rows).toEqual(hostileRows);
          expect(reply).toEqual(replyOf([], beside));
        }
      }
    }
  });

  test('slices have about the wanted size, however large the pieces are', () => {
    const many = Array.from({ length: 1000 }, (_, n) => ({ n, text: 'x'.repeat(20) }));
    const { slices, rows } = parsedBy(JSON.stringify(replyOf(many)), 1_000_000, 2000);
    expect(rows).toEqual(many);
    expect(slices.length).toBeGreaterThan(15);
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(2100);
  });

  test('no rows, and replies without rows, stay as they are', () => {
    expect(parsedBy(JSON.stringify(replyOf([])), 5, 10)).toMatchObject({ rows: [], reply: replyOf([]) });
    const other = { rows: [1, 2], data: { rows: [{ a: 1 }] }, query_result: { rows: [3] } };
    expect(parsedBy(JSON.stringify(other), 5, 10)).toMatchObject({ rows: [], reply: other });
  });
});

afterEach(() => void vi.unstubAllGlobals());

/** A reply whose bytes come in pieces, and break off where `breakAt` says. */
function streamed(text: string, piece: number, breakAt = Number.POSITIVE_INFINITY): Response {
  const bytes = encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= breakAt) return controller.error(new TypeError('network error'));
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + piece));
      at += piece;
    },
  });
  return new Response(body);
}

describe('the body of a reply', () => {
  const large = replyOf(Array.from({ length: 60_000 }, (_, n) => ({ n, text: `row ${n} “${'x'.repeat(n % 80)}”` })));

  test('a large one is the same as parsed at once', async () => {
    const text = JSON.stringify(large);
    expect(text.length).toBeGreaterThan(4_000_000);
    expect(await readBody(streamed(text, 65_536))).toEqual(large);
    expect(await readBody(streamed(text, 3_000_000))).toEqual(large);
  });

  test('one without rows is parsed all the same, however large', async () => {
    const other = { items: Array.from({ length: 100_000 }, (_, n) => `item number ${n} of many`) };
    expect(await readBody(streamed(JSON.stringify(other), 65_536))).toEqual(other);
  });

  test('small ones, empty ones and errors are read as before', async () => {
    expect(await readBody(new Response('{"a":1}'))).toEqual({ a: 1 });
    expect(await readBody(new Response(''))).toBe(null);
    expect(await readBody(new Response(null, { status: 204 }))).toBe(null);
    expect(await readBody(new Response('Bad gateway', { status: 502 }))).toBe('Bad gateway');
    await expect(readBody(new Response('<html>'))).rejects.toMatchObject({ status: 200, message: expect.stringContaining('not JSON') });
  });

  test('a read that fails says what failed', async () => {
    const text = JSON.stringify(large);
    await expect(readBody(streamed(text, 65_536, 0))).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('could not be reached'),
    });
    await expect(readBody(streamed(text, 65_536, 300_000))).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('broke off after 320 KB'),
    });
    await expect(readBody(streamed(text, 65_536, 4_000_000))).rejects.toMatchObject({
      message: expect.stringContaining('broke off after 3 MB'),
    });
    await expect(readBody(streamed(`${text.slice(0, 3_500_000)}oops`, 65_536))).rejects.toMatchObject({
      status: 200,
      message: expect.stringContaining('not JSON'),
    });
  });

  test('a reader who has left is not told of a lost connection', async () => {
    const stopped = new AbortController();
    stopped.abort(new Error('left the page'));
    await expect(readBody(streamed('{}', 1, 0), stopped.signal)).rejects.not.toMatchObject({ status: 0 });
  });
});

/** Workers that do their work, do not start, or die in the middle of it. */
function fakeWorkers(fate: 'works' | 'does not start' | 'dies') {
  const made: { isTerminated: boolean }[] = [];
  class FakeWorker {
    isTerminated = false;
    onmessage: (message: { data: FromSplitter }) => void = () => {};
    onerror: (event: { message: string }) => void = () => {};
    readonly #split = createSplitting();
    #count = 0;
    constructor() {
      made.push(this);
    }
    postMessage(message: ToSplitter) {
      const isOver = fate === 'does not start' || (fate === 'dies' && ++this.#count > 2);
      setTimeout(() => {
        if (isOver) this.onerror({ message: '' });
        else for (const data of this.#split(message)) this.onmessage({ data });
      });
    }
    terminate() {
      this.isTerminated = true;
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  return made;
}

describe('large replies and workers', () => {
  const reply = replyOf(Array.from({ length: 50_000 }, (_, n) => ({ n, text: `row ${n} ${'y'.repeat(50)}` })));
  const text = JSON.stringify(reply);

  test('a worker cuts the rows, and ends with the reply', async () => {
    const made = fakeWorkers('works');
    expect(await readBody(streamed(text, 65_536))).toEqual(reply);
    expect(made).toMatchObject([{ isTerminated: true }]);
    await readBody(streamed(text.slice(0, 2_500_000), 65_536)).catch(() => {});
    expect(made).toMatchObject([{ isTerminated: true }, { isTerminated: true }]);
    await readBody(streamed('{"small":true}', 4));
    expect(made).toHaveLength(2);
  });

  test('one that does not start is replaced by the page itself', async () => {
    fakeWorkers('does not start');
    expect(await readBody(streamed(text, 65_536))).toEqual(reply);
  });

  test('one that dies in the middle is an error, never a part of the rows', async () => {
    fakeWorkers('dies');
    await expect(readBody(streamed(text, 65_536))).rejects.toMatchObject({ message: expect.stringContaining('too large for the browser') });
  });
});
