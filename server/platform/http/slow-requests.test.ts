import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_REQUEST_SECONDS: '2' } });
const port = Number(new URL(app.origin).port);
const opened: Socket[] = [];
afterAll(() => {
  for (const socket of opened) socket.destroy();
});

interface Slow {
  socket: Socket;
  answer(): string;
  isClosed(): boolean;
}
function open(first = ''): Slow {
  const socket = connect({ host: '127.0.0.1', port });
  opened.push(socket);
  let [answer, isClosed] = ['', false];
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.on('error', () => {});
  socket.once('close', () => (isClosed = true));
  if (first) socket.write(first);
  return { socket, answer: () => answer, isClosed: () => isClosed };
}
/** Opens many connections, some at a time: the system drops what exceeds the queue of the listening socket, and its client would never know. */
async function openMany(count: number): Promise<Slow[]> {
  const all: Slow[] = [];
  while (all.length < count) {
    const some = Array.from({ length: Math.min(50, count - all.length) }, () => open());
    await Promise.all(some.map(({ socket }) => once(socket, 'connect')));
    all.push(...some);
  }
  return all;
}
/** Sends a few bytes again and again, as long as the connection takes them. */
function drip({ socket, isClosed }: Slow, bytes: string): void {
  const timer = setInterval(() => (isClosed() ? clearInterval(timer) : socket.write(bytes)), 50);
  socket.once('close', () => clearInterval(timer));
}
const isServed = async () => (await app.as(app.admin).call(sessionApi.get)).status === 200;
const patience = { interval: 100 };

describe('security 32: slow requests', () => {
  test('headers that never end, a body that never ends, and silence are ended within the limit; others are served meanwhile', async () => {
    const headers = open('GET /ping HTTP/1.1\r\nhost: x\r\n');
    drip(headers, 'x-more: 1\r\n');
    const body = open('POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n');
    drip(body, ' ');
    const chunked = open('POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    drip(chunked, '1\r\n \r\n');
    const silent = open();
    const begun = open('P');
    const slow = [headers, body, chunked, silent, begun];
    expect(await isServed()).toBe(true);
    await expect.poll(() => slow.map((each) => each.isClosed()), patience).toEqual(slow.map(() => true));
    for (const each of [headers, body, chunked]) expect(each.answer()).toMatch(/^HTTP\/1\.1 408 /);
    expect(headers.answer()).toContain('"message":"This request took too long to arrive."');
    expect(await isServed()).toBe(true);
  });

  test('1,100 connections that say nothing take nobody’s place: the oldest are cut at once, a new one is answered', async () => {
    const idle = await openMany(1100);
    const isClosed = () => idle.filter((each) => each.isClosed()).length;
    await expect.poll(isClosed, patience).toBeGreaterThanOrEqual(100);
    expect(await isServed()).toBe(true);
    const fresh = open('GET /ping HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await expect.poll(fresh.answer, patience).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(isClosed, patience).toBe(1100);
  });

  test('a request in time, and a connection that is used again, are not among them', async () => {
    const steady = open('GET /ping HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(steady.answer, patience).toContain('HTTP/1.1 200 ');
    const idle = await openMany(1010);
    await expect.poll(() => idle.some((each) => each.isClosed()), patience).toBe(true);
    steady.socket.write('GET /ping HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => steady.answer().split('HTTP/1.1 200 ').length - 1, patience).toBe(2);
    expect(steady.isClosed()).toBe(false);
  });
});
