import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

const [keyId, secret, region, bucket] = ['TESTKEY', 'test+secret/of a store', 'eu-test-1', 'rows'];
/** Small pages, so that listing needs several. */
const pageSize = 3;

export interface ObjectStorePeer {
  /** For RESULTS_URL. */
  url: string;
  objects: Map<string, { data: Buffer; modifiedAt: Date }>;
  /** Requests as `PUT key`, in order. */
  requests: string[];
  /** Answers this status instead, where it returns one. */
  failWith: (method: string, key: string) => number | undefined;
  /** Awaited before a request is answered. */
  before: (method: string, key: string) => Promise<void>;
}

/** A store that speaks the part of S3 that the console uses, and checks every signature by itself. */
export async function objectStorePeer(): Promise<ObjectStorePeer> {
  const peer: ObjectStorePeer = { url: '', objects: new Map(), requests: [], failWith: () => undefined, before: async () => {} };
  const server = createServer((request, response) => {
    answer(peer, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  peer.url = `http://${keyId}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${bucket}/of%20tests?region=${region}`;
  return peer;
}

async function answer(peer: ObjectStorePeer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const method = request.method ?? '';
  const url = new URL(request.url ?? '', 'http://store');
  const key = decodeURIComponent(url.pathname).slice(`/${bucket}/`.length);
  peer.requests.push(`${method} ${key}`);
  await peer.before(method, key);
  const end = (status: number, content: string | Buffer = '') => response.writeHead(status).end(content);
  const status = peer.failWith(method, key);
  if (status !== undefined) return void end(status, '<Error><Code>Injected</Code></Error>');
  if (!isSigned(request, url, body)) return void end(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
  if (!decodeURIComponent(url.pathname).startsWith(`/${bucket}`)) return void end(404, '<Error><Code>NoSuchBucket</Code></Error>');
  const found = peer.objects.get(key);
  if (method === 'PUT') {
    peer.objects.set(key, { data: body, modifiedAt: new Date() });
    return void end(200);
  }
  if (method === 'DELETE') {
    peer.objects.delete(key);
    return void end(204);
  }
  if (url.searchParams.get('list-type') === '2') return void end(200, listing(peer, url.searchParams));
  return void (found ? end(200, method === 'HEAD' ? '' : found.data) : end(404, '<Error><Code>NoSuchKey</Code></Error>'));
}

function listing({ objects }: ObjectStorePeer, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort();
  const page = keys.slice(0, pageSize);
  const contents = page.map((key) => {
    const { data, modifiedAt } = objects.get(key) ?? {};
    const facts = `<LastModified>${modifiedAt?.toISOString()}</LastModified><Size>${data?.length}</Size>`;
    return `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key>${facts}</Contents>`;
  });
  const isTruncated = keys.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Signature Version 4 as its documentation states it, computed apart from the client under test. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = '', inRegion = '', names = '', signature = ''] = pattern.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date'] ?? '');
  const signed = names.split(';');
  if (id !== keyId || inRegion !== region || !date.startsWith(day)) return false;
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name))) return false;
  if (headers['x-amz-content-sha256'] !== sha256(body)) return false;
  const query = [...url.searchParams].map((pair) => pair.map(encoded).join('=')).sort();
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/');
  const canonical = [
    method,
    path,
    query.join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce((last, text) => hmac(last, text), Buffer.from(`AWS4${secret}`));
  const expected = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
