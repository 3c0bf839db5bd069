import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chunk, ChunkError, inflateChunk } from './chunk.ts';
import { collect } from './collect.ts';
import { envelope } from './envelope.ts';
import { gzipFrame, plainFrame } from './gzip-frame.ts';
import { chunksOf } from './testing/chunks-of.ts';

const rows = Array.from({ length: 5000 }, (_, i) => ({ time: `2026-01-01T00:00:${i % 60}Z`, text: `żółć ${Math.random()}`, i }));
const head = {
  id: 7,
  query: 'select "x"',
  runtime: 0.5,
  retrieved_at: '2026-01-01T00:00:00Z',
  data: { columns: [{ name: 'i', type: 'integer' as const }], log: ['line'] },
};
const whole = { query_result: { ...head, data: { ...head.data, rows } } };
const { prefix, suffix } = envelope(head);
const stored = await chunksOf(
  rows.map((row) => JSON.stringify(row)),
  { chunkBytes: 20_000 },
);

async function bytesOf(frame: AsyncIterable<Uint8Array>) {
  return Buffer.concat(await collect(frame));
}

test('W34: envelope and stored chunks are one gzip member', async () => {
  expect(stored.length).toBeGreaterThan(10);
  expect(JSON.parse(gunzipSync(await bytesOf(gzipFrame(prefix, stored, suffix))).toString())).toEqual(whole);
});

test('the plain frame has the same bytes', async () => {
  const gzip = await bytesOf(gzipFrame(prefix, stored, suffix));
  expect(gunzipSync(gzip).equals(await bytesOf(plainFrame(prefix, stored, suffix)))).toBe(true);
});

test('a result without rows is whole too', async () => {
  const text = gunzipSync(await bytesOf(gzipFrame(prefix, [], suffix))).toString();
  expect(JSON.parse(text).query_result.data.rows).toEqual([]);
});

describe('over HTTP', () => {
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    Readable.from(gzipFrame(prefix, stored, suffix)).pipe(reply);
  });
  let address = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => void server.close());

  test("Node's fetch reads it all", async () => {
    expect(await (await fetch(address)).json()).toEqual(whole);
  });

  const hasCurl = (() => {
    try {
      return execFileSync('curl', ['--version']).includes('libz');
    } catch {
      return false;
    }
  })();
  test.skipIf(!hasCurl)('curl reads it all', async () => {
    const { stdout } = await promisify(execFile)('curl', ['--silent', '--compressed', address], { maxBuffer: 2 ** 26 });
    expect(JSON.parse(stdout)).toEqual(whole);
  });
});

describe('a damaged chunk', () => {
  const [first, second] = stored as [Chunk, Chunk];
  const cut = { ...first, data: first.data.subarray(0, first.data.length - 5) };
  const changed = { ...first, data: Uint8Array.from(first.data, (byte, i) => (i === 400 ? byte ^ 16 : byte)) };

  test('is refused when it is inflated', async () => {
    await expect(inflateChunk(cut)).rejects.toThrow(ChunkError);
    await expect(inflateChunk(changed)).rejects.toThrow(ChunkError);
    await expect(inflateChunk({ ...first, data: second.data })).rejects.toThrow(ChunkError);
    await expect(inflateChunk({ ...first, crc32: second.crc32 })).rejects.toThrow('A stored result chunk does not match its checksum.');
    await expect(inflateChunk({ ...first, data: new Uint8Array() })).rejects.toThrow(ChunkError);
  });

  test('is refused in a gzip frame when cut, and by the reader when changed', async () => {
    await expect(bytesOf(gzipFrame(prefix, [cut, second], suffix))).rejects.toThrow('A stored result chunk is cut short.');
    const frame = await bytesOf(gzipFrame(prefix, [changed, second], suffix));
    expect(() => gunzipSync(frame)).toThrow();
  });

  test('is refused in a plain frame', async () => {
    await expect(bytesOf(plainFrame(prefix, [first, { ...second, crc32: 1 }], suffix))).rejects.toThrow(ChunkError);
  });
});
