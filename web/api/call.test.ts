import { ById, endpoint } from '@telltale/domain/endpoint.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiError, askEarly, call, setApiKey } from './call.ts';
import { isSessionExpired, resumeSession } from './expiredSession.ts';

const get = endpoint('GET', '/api/things/:id', {
  needs: 'signed_in',
  params: ById,
  query: z.object({ q: z.string().optional() }),
  reply: z.any(),
  summary: '',
});
const save = endpoint('POST', '/api/things/:id', {
  needs: 'signed_in',
  params: ById,
  body: z.object({ name: z.string() }),
  reply: z.any(),
  summary: '',
});
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const answer = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('document', { cookie: 'other=1; csrf_token=a%2Bb' });
});
afterEach(() => {
  setApiKey(null);
  vi.unstubAllGlobals();
});

describe('call', () => {
  test('fills the address in and reads the answer', async () => {
    fetched.mockReturnValueOnce(answer(200, { id: 7 }));
    expect(await call(get, { params: { id: 7 }, query: { q: 'a b' } })).toEqual({ id: 7 });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/api/things/7?q=a%20b');
    expect(init?.headers).not.toHaveProperty('X-CSRF-TOKEN');
  });

  test('what was asked for early is read once, the next reader asks again', async () => {
    fetched.mockImplementation(() => answer(200, { id: 7 }));
    askEarly('/api/things/7');
    askEarly('/api/things/7');
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(await call(get, { params: { id: 7 } })).toEqual({ id: 7 });
    expect(fetched).toHaveBeenCalledTimes(1);
    await call(get, { params: { id: 7 } });
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test('a refused early request fails its reader, who may try again', async () => {
    fetched.mockReturnValueOnce(answer(500, { message: 'In trouble.' })).mockReturnValueOnce(answer(200, { id: 7 }));
    askEarly('/api/things/7');
    await expect(call(get, { params: { id: 7 } })).rejects.toMatchObject({ status: 500 });
    expect(await call(get, { params: { id: 7 } })).toEqual({ id: 7 });
  });

  test('sends the token of the cookie with what changes something', async () => {
    fetched.mockReturnValueOnce(answer(200, null));
    await call(save, { params: { id: 7 }, body: { name: 'x' } });
    expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ 'X-CSRF-TOKEN': 'a+b', 'Content-Type': 'application/json' });
  });

  test('an error carries status, message and body', async () => {
    fetched.mockReturnValueOnce(answer(409, { message: 'Somebody was faster.', version: 3 }));
    const error = await call(get, { params: { id: 7 } }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, message: 'Somebody was faster.', body: { version: 3 } });
  });

  test('no answer at all is status 0 with a readable message', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(call(get, { params: { id: 7 } })).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('Internet connection'),
    });
  });

  test('a stale CSRF token is renewed once', async () => {
    fetched.mockReturnValueOnce(answer(400, { message: 'The CSRF token is too old.' }));
    fetched.mockReturnValueOnce(answer(200, 'PONG.'));
    fetched.mockReturnValueOnce(answer(400, { message: 'The CSRF token is too old.' }));
    await expect(call(save, { params: { id: 7 }, body: { name: 'x' } })).rejects.toMatchObject({ status: 400 });
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/api/things/7', '/ping', '/api/things/7']);
  });

  test.each([
    [401, 'Unauthorized'],
    [404, 'Please login and try again.'],
  ])('screens 1.1: %d "%s" waits for somebody to sign in and is sent again', async (status, message) => {
    fetched.mockReturnValueOnce(answer(status, { message }));
    fetched.mockReturnValueOnce(answer(200, { id: 7 }));
    const reply = call(get, { params: { id: 7 } });
    await vi.waitFor(() => expect(isSessionExpired()).toBe(true));
    expect(fetched).toHaveBeenCalledOnce();
    resumeSession();
    expect(await reply).toEqual({ id: 7 });
  });

  test('an ordinary 404 does not wait', async () => {
    fetched.mockReturnValueOnce(answer(404, { message: 'Not found.' }));
    await expect(call(get, { params: { id: 7 } })).rejects.toMatchObject({ status: 404 });
    expect(isSessionExpired()).toBe(false);
  });

  test('neither the session call nor a reader by key waits', async () => {
    fetched.mockImplementation(() => answer(401, { message: 'Please login.' }));
    await expect(call(get, { params: { id: 7 } }, { failWhenSignedOut: true })).rejects.toMatchObject({ status: 401 });
    setApiKey('abc');
    await expect(call(get, { params: { id: 7 } })).rejects.toMatchObject({ status: 401 });
    expect(fetched.mock.calls[1]?.[1].headers).toMatchObject({ Authorization: 'Key abc' });
    expect(isSessionExpired()).toBe(false);
  });
});
