import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type LocalServer, sendJson, serverForTest } from '../connectors/testing/local-server.ts';
import { selfSigned } from '../connectors/testing/self-signed.ts';
import type { Address } from './outgoing/resolve.ts';
import { createOutgoingHttp, OutgoingError, type OutgoingHttp, type OutgoingRequest } from './outgoing.ts';

const refusal = "Can't query private addresses.";
const open = createOutgoingHttp({ allowPrivate: ['*'] });
const closed = createOutgoingHttp({ allowPrivate: [] });
const get = (http: OutgoingHttp, url: string, request: Partial<OutgoingRequest> = {}) =>
  http.fetch(url, { signal: new AbortController().signal, ...request });
const textOf = async (http: OutgoingHttp, url: string, request?: Partial<OutgoingRequest>) => (await get(http, url, request)).text();
const hello = () => serverForTest((_request, response) => void response.end('hello'));
const answers = (...addresses: string[]): Address[] => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('a request carries method, headers and body, and the answer comes back', async () => {
  const server = await serverForTest((_request, response) => {
    response.writeHead(201, { 'x-kind': 'a', 'set-cookie': ['a=1', 'b=2'] });
    response.end('größe');
  });
  const response = await get(open, `${server.origin}/p?q=1#part`, { method: 'POST', body: 'ä', headers: { 'X-Own': 'yes' } });
  expect(await response.text()).toBe('größe');
  expect(response).toMatchObject({ status: 201, url: `${server.origin}/p?q=1`, headers: { 'x-kind': 'a', 'set-cookie': 'a=1, b=2' } });
  expect(server.requests).toEqual([
    {
      method: 'POST',
      url: '/p?q=1',
      body: 'ä',
      headers: expect.objectContaining({
        'x-own': 'yes',
        'content-length': '2',
        host: `127.0.0.1:${server.port}`,
        'user-agent': 'Telltale',
      }),
    },
  ]);
});

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://１２７.0.0.1/',
  'http://①②⑦.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://10.0.0.1/',
  'http://192.168.0.1:8080/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://168.63.129.16/',
  'http:\\\\127.0.0.1/',
  'http:/127.0.0.1/',
  'http:127.0.0.1/',
  'https://localhost/',
])('security 9: %s is refused', async (url) => {
  await expect(get(closed, url)).rejects.toMatchObject({ message: refusal, fault: 'refused' });
});

test('security 9: a name in another alphabet is judged by where it leads', async () => {
  const lookup = vi.fn(async () => answers('127.0.0.1'));
  await expect(get(createOutgoingHttp({ allowPrivate: [], lookup }), 'http://bücher.example/')).rejects.toThrow(refusal);
  expect(lookup).toHaveBeenCalledWith('xn--bcher-kva.example');
});

test.each([
  'file:///etc/passwd',
  'jar:http://x!/',
  'data:text/plain,x',
  'gopher://x/',
  'ftp://x/',
  'javascript:1',
  'ws://x/',
  'dict://x:1/',
])('security 10: %s is refused', async (url) => {
  await expect(get(open, url)).rejects.toThrow('Only http and https addresses are allowed.');
});

test('security 10: http can be switched off', async () => {
  const { origin } = await hello();
  await expect(get(createOutgoingHttp({ allowPrivate: ['*'], allowHttp: false }), origin)).rejects.toThrow(
    'Only https addresses are allowed.',
  );
});

test.each([
  ['http://user@example.com/', 'Leave the user name and password out of the address.'],
  ['http://:pass@example.com/', 'Leave the user name and password out of the address.'],
  ['http://example.com:0/', "Port 0 can't be used."],
  ['http://example.com:25/', "Port 25 can't be used."],
  ['http://example.com:6379/', "Port 6379 can't be used."],
  ['http://', "'http://' is not an address."],
  ['http://a b/', "'http://a b/' is not an address."],
  ['nonsense', "'nonsense' is not an address."],
])('%s is refused: %s', async (url, message) => {
  await expect(get(open, url)).rejects.toThrow(message);
});

test.each([['*'], ['127.0.0.1'], ['127.0.0.0/8'], ['0.0.0.0/0']])('the operator lists %s', async (entry) => {
  const { origin } = await hello();
  expect(await textOf(createOutgoingHttp({ allowPrivate: [entry] }), origin)).toBe('hello');
});

test('a listed host may be private, others may not', async () => {
  const { port } = await hello();
  const http = createOutgoingHttp({ allowPrivate: ['sensors.test', '10.0.0.0/8'], lookup: async () => answers('127.0.0.1') });
  expect(await textOf(http, `http://Sensors.TEST.:${port}/`)).toBe('hello');
  await expect(get(http, `http://other.test:${port}/`)).rejects.toThrow(refusal);
});

test('a metadata service is out of reach for a saved database, whatever is listed', async () => {
  for (const entry of ['cloud.test', '0.0.0.0/0', '169.254.0.0/16', '*']) {
    const http = createOutgoingHttp({ allowPrivate: [entry], lookup: async () => answers('169.254.169.254') });
    await expect(get(http, 'http://cloud.test/', { trusted: true })).rejects.toThrow(refusal);
    await expect(get(http, 'http://[::ffff:169.254.1.1]/', { trusted: true })).rejects.toThrow(refusal);
  }
});

test('a saved database may be private', async () => {
  const { origin } = await hello();
  expect(await textOf(closed, origin, { trusted: true })).toBe('hello');
});

test('an entry that means nothing is named at the start', () => {
  for (const entry of ['10.0.0.0/33', 'http://x/', 'a b', '']) {
    expect(() => createOutgoingHttp({ allowPrivate: [entry] })).toThrow(`'${entry}' is neither a host nor a range of addresses.`);
  }
});

test('security 9: one private address among public ones refuses the name', async () => {
  const http = createOutgoingHttp({ allowPrivate: [], lookup: async () => answers('93.184.216.34', '127.0.0.1') });
  await expect(get(http, 'http://two.test/')).rejects.toThrow(refusal);
});

test('security 9: DNS rebinding: the name is asked once and the connection goes to what was checked', async () => {
  const inside = await hello();
  const outside = await serverForTest((_request, response) => void response.end('outside'), { host: '127.0.0.2' });
  const lookup = vi.fn(async () => answers(lookup.mock.calls.length === 1 ? '127.0.0.2' : '127.0.0.1'));
  const http = createOutgoingHttp({ allowPrivate: ['127.0.0.2'], lookup });
  expect(await textOf(http, `http://rebind.test:${outside.port}/`)).toBe('outside');
  expect(lookup).toHaveBeenCalledTimes(1);
  // Resolved again for the next request, the name has a private address: refused, and no byte is sent there.
  await expect(get(http, `http://rebind.test:${inside.port}/`)).rejects.toThrow(refusal);
  expect(inside.requests).toEqual([]);
});

test('security 9: rebinding between a redirect and its target is caught too', async () => {
  const inside = await hello();
  const outside = await serverForTest(
    (_request, response) => void response.writeHead(302, { location: `http://rebind.test:${inside.port}/` }).end(),
    { host: '127.0.0.2' },
  );
  const lookup = vi.fn(async () => answers(lookup.mock.calls.length === 1 ? '127.0.0.2' : '127.0.0.1'));
  const http = createOutgoingHttp({ allowPrivate: ['127.0.0.2'], lookup });
  await expect(get(http, `http://rebind.test:${outside.port}/`, { redirects: 3 })).rejects.toThrow(refusal);
  expect(inside.requests).toEqual([]);
});

test('all checked addresses of a name are tried', async () => {
  const { port } = await serverForTest((_request, response) => void response.end('second'), { host: '127.0.0.3' });
  const http = createOutgoingHttp({ allowPrivate: ['127.0.0.0/8'], lookup: async () => answers('127.0.0.2', '127.0.0.3') });
  expect(await textOf(http, `http://two.test:${port}/`)).toBe('second');
});

test.each([
  'http://127.0.0.1:{port}/',
  'http://169.254.169.254/',
  'http://[::ffff:127.0.0.1]:{port}/',
  'http://2130706433:{port}/',
  '//127.0.0.1:{port}/',
  'file:///etc/passwd',
  'http://user:pass@127.0.0.2:{port}/',
])('security 9: a redirect to %s is not followed', async (location) => {
  const inside = await hello();
  const outside = await serverForTest(
    (_request, response) => void response.writeHead(302, { location: location.replace('{port}', String(inside.port)) }).end(),
    { host: '127.0.0.2' },
  );
  const http = createOutgoingHttp({ allowPrivate: ['127.0.0.2'] });
  await expect(get(http, outside.origin, { redirects: 5 })).rejects.toMatchObject({ fault: 'refused' });
  expect(inside.requests).toEqual([]);
});

const redirecting = (status: number, to: () => string) =>
  serverForTest((request, response) => {
    if (request.url === '/') response.writeHead(status, { location: to() }).end();
    else response.end('arrived');
  });

test('redirects are followed only when asked for, and not for ever', async () => {
  const server: LocalServer = await redirecting(302, () => '/next');
  expect(await get(open, server.origin)).toMatchObject({ status: 302, headers: { location: '/next' } });
  expect(await textOf(open, server.origin, { redirects: 1 })).toBe('arrived');
  const loop: LocalServer = await redirecting(302, () => '/');
  await expect(get(open, loop.origin, { redirects: 4 })).rejects.toThrow('redirects too often.');
  expect(loop.requests).toHaveLength(5);
});

test('credentials stay with their origin: the same one gets them again, another one does not', async () => {
  const other = await hello();
  const headers = { Authorization: 'Basic x', Cookie: 'a=b', 'X-Api-Key': 'k', Accept: 'text/csv' };
  const same: LocalServer = await redirecting(302, () => '/next');
  await textOf(open, same.origin, { redirects: 1, headers });
  expect(same.requests[1]?.headers).toMatchObject({ authorization: 'Basic x', cookie: 'a=b', 'x-api-key': 'k' });
  const away = await redirecting(302, () => other.origin);
  await textOf(open, away.origin, { redirects: 1, headers });
  expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/csv' });
  expect(Object.keys(other.requests[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['authorization']));
  expect(JSON.stringify(other.requests)).not.toMatch(/Basic x|a=b|x-api-key/);
});

test('a post becomes a get on 302 and 303, stays a post on 307, and is never posted to another server', async () => {
  const other = await hello();
  for (const [status, method, body] of [
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'data'],
    [308, 'POST', 'data'],
  ] as const) {
    const server: LocalServer = await redirecting(status, () => '/next');
    await textOf(open, server.origin, { method: 'POST', body: 'data', redirects: 1 });
    expect(server.requests[1]).toMatchObject({ method, body });
  }
  const away = await redirecting(307, () => other.origin);
  await expect(get(open, away.origin, { method: 'POST', body: 'data', redirects: 1 })).rejects.toThrow(
    'redirects to another server, which is not sent the data.',
  );
});

test.each(['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Proxy-Authorization'])(
  "the header %s can't be set",
  async (name) => {
    await expect(get(open, 'http://127.0.0.1:8/', { headers: { [name]: 'x' } })).rejects.toThrow(`The header '${name}' can't be set.`);
  },
);

test('a header cannot break out of its line', async () => {
  await expect(get(open, 'http://127.0.0.1:8/', { headers: { a: 'x\r\nHost: y' } })).rejects.toMatchObject({ fault: 'refused' });
  await expect(get(open, 'http://127.0.0.1:8/', { headers: { 'a b': 'x' } })).rejects.toMatchObject({ fault: 'refused' });
});

const compressors = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, 'deflate without a header': deflateRawSync };

test.each(Object.entries(compressors))('%s is decompressed', async (name, compress) => {
  const { origin } = await serverForTest((_request, response) => {
    response.writeHead(200, { 'content-encoding': name.split(' ')[0] });
    response.end(compress('hello '.repeat(50_000)));
  });
  expect(await textOf(open, origin)).toBe('hello '.repeat(50_000));
});

test('security 29: a compressed bomb ends at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2));
  const { origin } = await serverForTest((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  const response = await get(open, origin, { maxBytes: 1024 ** 2 });
  let bytes = 0;
  await expect(
    (async () => {
      for await (const chunk of response.body) bytes += chunk.length;
    })(),
  ).rejects.toMatchObject({ fault: 'too-large', message: expect.stringMatching(/is larger than 1 MB\.$/) });
  expect(bytes).toBeLessThanOrEqual(1024 ** 2);
});

test('a long answer ends at the limit, and its connection is closed', async () => {
  let isGone = false;
  const { origin } = await serverForTest((_request, response) => {
    response.on('close', () => (isGone = true));
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', write);
    write();
  });
  await expect(textOf(open, origin, { maxBytes: 1_000_000 })).rejects.toMatchObject({ fault: 'too-large' });
  await expect.poll(() => isGone).toBe(true);
});

test('an unknown or damaged encoding is an error', async () => {
  for (const encoding of ['zip', 'gzip, gzip', 'gzip']) {
    const { origin } = await serverForTest(
      (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end('plain'),
    );
    await expect(textOf(open, origin)).rejects.toBeInstanceOf(OutgoingError);
  }
  const { origin } = await serverForTest(
    (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello').subarray(0, 12)),
  );
  await expect(textOf(open, origin)).rejects.toMatchObject({ fault: 'lost' });
});

test('an answer without a body is empty, whatever encoding it names', async () => {
  const { origin } = await serverForTest((_request, response) => void response.writeHead(204, { 'content-encoding': 'gzip' }).end());
  expect(await textOf(open, origin)).toBe('');
});

test('time limits: no connection, no head, no more bytes', async () => {
  const silent = await serverForTest(() => {});
  await expect(get(open, silent.origin, { timeoutMs: 50 })).rejects.toMatchObject({
    fault: 'timeout',
    message: expect.stringMatching(/did not answer within 0.05 seconds\.$/),
  });
  const stalled = await serverForTest((_request, response) => void response.write('begin'));
  await expect(textOf(open, stalled.origin, { idleMs: 50 })).rejects.toMatchObject({
    fault: 'timeout',
    message: expect.stringMatching(/sent nothing for 0.05 seconds\.$/),
  });
  const http = createOutgoingHttp({ allowPrivate: ['*'], lookup: () => new Promise(() => {}), connectMs: 50 });
  await expect(get(http, 'http://slow.test/')).rejects.toMatchObject({ fault: 'timeout' });
});

test('slow headers do not hold a request for ever', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x: y\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(get(open, await listening(server), { timeoutMs: 100 })).rejects.toMatchObject({ fault: 'timeout' });
});

test('a reader that takes its time is not a silent server', async () => {
  const { origin } = await serverForTest((_request, response) => void response.end(Buffer.alloc(4_000_000)));
  const response = await get(open, origin, { idleMs: 60 });
  let bytes = 0;
  for await (const chunk of response.body) {
    if (bytes === 0) await pause(150);
    bytes += chunk.length;
  }
  expect(bytes).toBe(4_000_000);
});

test('an abort ends the request in every phase, with its own reason', async () => {
  const reason = new Error('stopped');
  const aborted = () => AbortSignal.abort(reason);
  await expect(get(open, 'http://127.0.0.1:8/', { signal: aborted() })).rejects.toBe(reason);
  const resolving = new AbortController();
  const stuck = get(createOutgoingHttp({ allowPrivate: ['*'], lookup: () => new Promise(() => {}) }), 'http://x.test/', {
    signal: resolving.signal,
  });
  setTimeout(() => resolving.abort(reason), 20);
  await expect(stuck).rejects.toBe(reason);
  const closedSockets: string[] = [];
  const { origin } = await serverForTest((request, response) => {
    response.on('close', () => closedSockets.push(request.url));
    if (request.url === '/body') response.write('begin');
  });
  const waiting = new AbortController();
  const head = get(open, `${origin}/head`, { signal: waiting.signal });
  setTimeout(() => waiting.abort(reason), 50);
  await expect(head).rejects.toBe(reason);
  const reading = new AbortController();
  const body = textOf(open, `${origin}/body`, { signal: reading.signal });
  setTimeout(() => reading.abort(reason), 50);
  await expect(body).rejects.toBe(reason);
  await expect.poll(() => closedSockets).toEqual(['/head', '/body']);
});

test('a connection lost in the middle is an error, not a short answer', async () => {
  const cut = await serverForTest((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  await expect(textOf(open, cut.origin)).rejects.toMatchObject({
    fault: 'lost',
    message: expect.stringMatching(/was lost before the answer was complete\.$/),
  });
  const chunked = await serverForTest((_request, response) => void response.write('half', () => response.destroy()));
  await expect(textOf(open, chunked.origin)).rejects.toMatchObject({ fault: 'lost' });
});

test('a server that answers in another protocol, or not at all, is named', async () => {
  const talker = createServer((socket) => void socket.end('220 mail ready\r\n'));
  await expect(get(open, await listening(talker))).rejects.toMatchObject({
    fault: 'bad-answer',
    message: expect.stringMatching(/does not answer in HTTP\.$/),
  });
  const hangUp = createServer((socket) => void socket.destroy());
  await expect(get(open, await listening(hangUp))).rejects.toMatchObject({ fault: 'lost' });
  const { port, close } = await hello();
  await close();
  await expect(get(open, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    fault: 'unreachable',
    message: `127.0.0.1:${port} refused the connection.`,
  });
  await expect(get(open, 'http://no-such-host.invalid/')).rejects.toMatchObject({
    fault: 'unreachable',
    message: 'The host no-such-host.invalid was not found.',
  });
});

test('a certificate must fit, unless an administrator says otherwise', async () => {
  const tls = selfSigned('sensors.test');
  const server = await serverForTest((_request, response) => sendJson(response, { ok: true }), { tls });
  const http = createOutgoingHttp({ allowPrivate: ['*'], lookup: async () => answers('127.0.0.1') });
  const url = `https://sensors.test:${server.port}/`;
  await expect(get(http, url)).rejects.toMatchObject({ fault: 'unreachable', message: expect.stringContaining('self-signed certificate') });
  expect(await textOf(http, url, { allowInvalidCertificate: true })).toBe('{"ok":true}');
});

test('an answer nobody reads is let go, and so is one that is discarded', async () => {
  const gone: string[] = [];
  const { origin } = await serverForTest((request, response) => {
    response.on('close', () => gone.push(request.url));
    response.write('begin');
  });
  await get(open, `${origin}/unread`, { idleMs: 30 });
  (await get(open, `${origin}/discarded`)).discard();
  await expect.poll(() => gone.toSorted()).toEqual(['/discarded', '/unread']);
});

test('a reader that leaves early closes the connection', async () => {
  let isGone = false;
  const { origin } = await serverForTest((_request, response) => {
    response.on('close', () => (isGone = true));
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.write(gzipSync(Buffer.alloc(1_000_000)));
  });
  for await (const _ of (await get(open, origin)).body) break;
  await expect.poll(() => isGone).toBe(true);
});

test('security 31: header names that mean something to JavaScript are only names', async () => {
  const { origin } = await serverForTest(
    (_request, response) => void response.writeHead(200, { constructor: 'a', __proto__: 'b' } as Record<string, string>).end(),
  );
  const { headers } = await get(open, origin);
  expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  expect(Object.hasOwn(headers, 'constructor')).toBe(true);
});

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('not listening');
  return `http://127.0.0.1:${address.port}/`;
}
