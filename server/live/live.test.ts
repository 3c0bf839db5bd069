import { setTimeout as delay } from 'node:timers/promises';
import { closeCodes, livePath, liveProtocol } from '@telltale/domain/live/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { describe, expect, test } from 'vitest';
import { randomKey } from '../platform/secrets.ts';
import type { TestClient } from '../testing/client.ts';
import { type LiveClient, type LiveOptions, openedLive, openLive } from '../testing/live-client.ts';
import { liveServer } from '../testing/live-server.ts';
import { rawBytes, rawRequest } from '../testing/raw.ts';
import { testApp } from '../testing/test-app.ts';
import { quickest } from '../testing/until.ts';
import type { Feed } from './feed.ts';

const app = await testApp();
const plain = await app.make.user();
const byKey = ({ api_key }: { api_key: string }): LiveOptions => ({ query: `?api_key=${api_key}` });
const cookieOf = (client: TestClient) => `session=${client.cookies.get('session')}`;

describe('iot-behaviour 1.11: signing in', () => {
  test('a key in the address opens it', async () => {
    expect(await openLive(app.origin, byKey(plain))).not.toBeTypeOf('number');
  });

  test('a key in the header opens it', async () => {
    expect(await openLive(app.origin, { headers: { authorization: `Key ${plain.api_key}` } })).not.toBeTypeOf('number');
  });

  test('a key as the second sub-protocol opens it, and the answer never repeats the key', async () => {
    const client = await openedLive(app.origin, { protocols: [liveProtocol, plain.api_key] });
    expect(client.ws.protocol).toBe(liveProtocol);
  });

  test.each([
    ['another first sub-protocol', ['mqtt', 'KEY']],
    ['the key first', ['KEY', liveProtocol]],
    ['only the key', ['KEY']],
  ])('%s is no sign-in', async (_, protocols) => {
    const offered = protocols.map((name) => (name === 'KEY' ? plain.api_key : name));
    expect(await openLive(app.origin, { protocols: offered })).toBe(401);
  });

  test('a session opens it from our own pages', async () => {
    const browser = await app.signedIn(plain);
    expect(await openLive(app.origin, { origin: app.origin, headers: { cookie: cookieOf(browser) } })).not.toBeTypeOf('number');
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', undefined])(
    'a session from %s is refused: any site can open a socket with our cookie',
    async (origin) => {
      const browser = await app.signedIn(plain);
      expect(await openLive(app.origin, { ...(origin ? { origin } : {}), headers: { cookie: cookieOf(browser) } })).toBe(403);
    },
  );

  test.each([
    ['nobody', {}],
    ['an unknown key', { query: `?api_key=${randomKey()}` }],
    ['an unknown sub-protocol key', { protocols: [liveProtocol, randomKey()] }],
    ['a cookie that is none', { headers: { cookie: 'session=x' }, origin: app.origin }],
  ])('%s is refused before the upgrade', async (_, options) => {
    expect(await openLive(app.origin, options)).toBe(401);
  });

  test('design 8: an unknown key beside a valid cookie is nobody', async () => {
    const browser = await app.signedIn(plain);
    const cookie = { origin: app.origin, headers: { cookie: cookieOf(browser) } };
    expect(await openLive(app.origin, { ...cookie, query: `?api_key=${randomKey()}` })).toBe(401);
    expect(await openLive(app.origin, { ...cookie, protocols: [liveProtocol, randomKey()] })).toBe(401);
  });

  test('a disabled person is refused', async () => {
    const user = await app.make.user();
    await app.as(app.admin).get(usersApi.disable, { params: { id: user.id } });
    expect(await openLive(app.origin, byKey(user))).toBe(401);
  });

  test('a plain request gets 426', async () => {
    expect((await app.as(plain).fetch(livePath)).status).toBe(426);
    expect((await app.anonymous().fetch(livePath)).status).toBe(401);
  });

  test('a refusal has the shape and headers of every other one, and the connection ends', async () => {
    const upgrade = `GET ${livePath} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
    const answer = await rawBytes(app.origin, upgrade);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toContain('content-security-policy');
    expect(answer).toContain('{"message":"Couldn\'t find resource. Please login and try again."}');
  });

  test('elsewhere a request to upgrade is ignored and the request answered', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAA' };
    expect((await rawRequest(app.origin, '/ping', { headers })).text).toBe('PONG.');
    const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAA' };
    expect((await rawRequest(app.origin, '/ping', { headers: h2c })).text).toBe('PONG.');
    expect((await rawRequest(app.origin, `${livePath}?api_key=${plain.api_key}`, { headers: h2c })).status).toBe(426);
  });

  test('one account cannot open sockets without end', async () => {
    const user = await app.make.user();
    const opened = await Promise.all(Array.from({ length: 50 }, () => openedLive(app.origin, byKey(user))));
    expect(await openLive(app.origin, byKey(user))).toBe(429);
    opened[0]?.ws.close();
    await opened[0]?.closed;
    await expect.poll(() => openLive(app.origin, byKey(user))).not.toBeTypeOf('number');
    for (const { ws } of opened) ws.terminate();
  });
});

describe('iot-behaviour 1.11: frames', () => {
  test.each(['nonsense', 'constructor', '__proto__', 'toString', 'job', 'error', 'uplink'])('the event %s is unknown', async (event) => {
    const client = await openedLive(app.origin, byKey(plain));
    expect(await client.ask(event, {})).toMatchObject({ event: 'error', data: { code: 'unknown_event', event } });
  });

  test('a ping is answered by a pong', async () => {
    const client = await openedLive(app.origin, byKey(plain));
    expect(await client.ask('ping', {})).toEqual({ event: 'pong', data: {} });
  });

  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a text', '"watch"'],
    ['null', 'null'],
    ['no event', '{"data":{}}'],
    ['an event that is a number', '{"event":1}'],
    ['an event without end', JSON.stringify({ event: 'x'.repeat(51) })],
    ['data that is a list', '{"event":"watch","data":[]}'],
    ['a NUL', '{"event":"watch","data":{"job":"\\u0000"}}'],
    ['a job that is no id', '{"event":"watch","data":{"job":"1 or 1=1"}}'],
    ['a job that is an object', '{"event":"watch","data":{"job":{"$ne":null}}}'],
    ['nothing to watch', '{"event":"watch"}'],
    ['depth', `{"event":"watch","data":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
  ])('%s is answered by an error, and the socket lives on', async (_, text) => {
    const client = await openedLive(app.origin, byKey(plain));
    client.ws.send(text);
    expect(await client.next()).toMatchObject({ event: 'error', data: { code: 'invalid' } });
    expect(await client.ask('nonsense')).toMatchObject({ data: { code: 'unknown_event' } });
  });

  test('binary frames are refused by an error', async () => {
    const client = await openedLive(app.origin, byKey(plain));
    client.ws.send(Buffer.from('{"event":"watch"}'));
    expect(await client.next()).toMatchObject({ event: 'error', data: { code: 'invalid' } });
  });

  test('a frame above 64 KiB closes the socket, one of 64 KiB does not', async () => {
    const client = await openedLive(app.origin, byKey(plain));
    const frame = (length: number) => JSON.stringify({ event: 'x', data: { a: 'a'.repeat(length - 29) } });
    expect(frame(64 * 1024).length).toBe(64 * 1024);
    client.ws.send(frame(64 * 1024));
    expect(await client.next()).toMatchObject({ data: { code: 'unknown_event' } });
    client.ws.send(frame(64 * 1024 + 1));
    expect((await client.closed).code).toBe(1009);
  });

  test('a client that asks much faster than it is answered is closed', async () => {
    const client = await openedLive(app.origin, byKey(plain));
    const job = crypto.randomUUID();
    for (let i = 0; i < 2000; i++) client.send('watch', { job });
    expect(await client.closed).toEqual({ code: closeCodes.flooded, reason: 'Too many frames at once.' });
  });

  test('a page that asks for sixty things at once is answered in order', async () => {
    const client = await openedLive(app.origin, byKey(plain));
    const jobs = Array.from({ length: 60 }, () => crypto.randomUUID());
    for (const job of jobs) client.send('watch', { job });
    for (const job of jobs) expect(await client.next()).toMatchObject({ event: 'error', data: { code: 'not_found', asked: { job } } });
  });

  test('bytes that are no frames close the socket', async () => {
    const client = await openedLive(app.origin, byKey(plain));
    const { _socket: socket } = client.ws as unknown as { _socket: NodeJS.WritableStream };
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    expect((await client.closed).code).toBe(1002);
  });
});

describe('rights that are gone', () => {
  const asSession = async (origin: string, user: { email: string; password: string }): Promise<[LiveClient, TestClient]> => {
    const browser = await app.signedIn(user);
    return [await openedLive(origin, { origin, headers: { cookie: cookieOf(browser) } }), browser];
  };

  test('a frame after the sign-out closes the socket at once', async () => {
    const [client, browser] = await asSession(app.origin, plain);
    await browser.json('POST', '/console/api/auth/logout');
    client.send('watch', { job: crypto.randomUUID() });
    expect((await client.closed).code).toBe(closeCodes.signedOut);
    expect(client.frames).toEqual([]);
  });

  test('an idle socket is closed at the next look: signed out, disabled, key replaced', async () => {
    const { origin } = await liveServer(app, { recheckMs: 100 });
    const [disabled, renewed, happy] = [await app.make.user(), await app.make.user(), await app.make.user()];
    const [signedOut, browser] = await asSession(origin, plain);
    const clients = await Promise.all([disabled, renewed].map((user) => openedLive(origin, byKey(user))));
    const stays = await openedLive(origin, byKey(happy));
    await browser.json('POST', '/console/api/auth/logout');
    await app.as(app.admin).get(usersApi.disable, { params: { id: disabled.id } });
    await app.as(app.admin).get(usersApi.regenerateKey, { params: { id: renewed.id } });
    for (const client of [signedOut, ...clients]) expect((await client.closed).code).toBe(closeCodes.signedOut);
    await delay(300);
    expect(stays.ws.readyState).toBe(stays.ws.OPEN);
  });
});

describe('iot-behaviour 1.11: peers that are gone or slow', () => {
  test('a peer that does not answer pings is dropped', async () => {
    const { origin } = await liveServer(app, { pingMs: 100 });
    const dead = await openedLive(origin, { ...byKey(plain), autoPong: false });
    const alive = await openedLive(origin, byKey(plain));
    expect((await dead.closed).code).toBe(1006);
    await delay(300);
    expect(alive.ws.readyState).toBe(alive.ws.OPEN);
  });

  const flood = (): Feed => ({
    events: {
      // The data is far more than the system buffers for a connection.
      flood: async (socket) => {
        for (let i = 0; i < 1000; i++) if (!socket.send('error', { code: 'flood', message: 'x'.repeat(64 * 1024) })) break;
      },
    },
    refresh: async (socket) => void socket.send('error', { code: 'caught up', message: '' }),
    leave: () => {},
    stop: () => {},
  });

  test('a client that stops reading is closed with 1013, and takes no more memory than the limit meanwhile', async () => {
    const { origin } = await liveServer(app, { slow: { unsentBytes: 1024 * 1024, timeoutMs: 300 } }, [flood()]);
    const client = await openedLive(origin, byKey(plain));
    client.ws.pause();
    client.send('flood');
    await delay(800);
    client.ws.resume();
    expect(await client.closed).toMatchObject({ code: closeCodes.tooSlow });
    expect(client.frames.length).toBeLessThan(500);
  });

  test('a slow client that catches up stays and gets the current state', async () => {
    const { origin } = await liveServer(app, { slow: { unsentBytes: 1024 * 1024, timeoutMs: 5000 } }, [flood()]);
    const client = await openedLive(origin, byKey(plain));
    client.ws.pause();
    client.send('flood');
    await delay(200);
    client.ws.resume();
    await expect.poll(() => client.frames.at(-1)?.data).toMatchObject({ code: 'caught up' });
    expect(client.ws.readyState).toBe(client.ws.OPEN);
  });

  test('a stopping server closes its sockets and does not wait for silent clients', async () => {
    const took = await quickest(4000, async () => {
      const { origin, close } = await liveServer(app, {});
      const client = await openedLive(origin, byKey(plain));
      const mute = await openedLive(origin, byKey(plain));
      mute.ws.pause();
      return async () => {
        await close();
        expect(await client.closed).toEqual({ code: closeCodes.goingAway, reason: 'The server stops.' });
      };
    });
    expect(took).toBeLessThan(4000);
  });
});
