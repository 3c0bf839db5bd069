import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { testApp } from '../../testing/test-app.ts';
import { createLogger } from '../log.ts';
import { listen } from './listen.ts';

const app = await testApp();
const impatient = { answerWithinMs: 300, askEveryMs: 200 };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function behindProxy(isSilent: boolean, timing = impatient) {
  const proxy = await tcpProxy(app.databaseUrl);
  closers.push(() => proxy.stop());
  if (isSilent) proxy.freeze();
  const heard: string[] = [];
  let connects = 0;
  const listener = listen(proxy.url, { test_news: (text) => heard.push(text) }, () => connects++, createLogger('silent'), timing);
  closers.push(() => listener.stop());
  return { proxy, listener, heard, connects: () => connects };
}

const say = (text: string) => sql`select pg_notify('test_news', ${text})`.execute(app.ctx.db);

test('notifications arrive on one connection as long as it answers', async () => {
  const { heard, connects } = await behindProxy(false, { answerWithinMs: 10_000, askEveryMs: 100 });
  await expect.poll(connects).toBe(1);
  await wait(1000);
  await say('hello');
  await expect.poll(() => heard).toEqual(['hello']);
  expect(connects()).toBe(1);
});

test('design 9: a database that takes the connection and says nothing is given up on, and heard when it speaks', async () => {
  const { proxy, heard, connects } = await behindProxy(true);
  await wait(500);
  await proxy.mend();
  await expect.poll(connects).toBe(1);
  await say('at last');
  await expect.poll(() => heard).toEqual(['at last']);
});

test('design 9: a silent connection is replaced, and onConnect reports that notifications were missed', async () => {
  const { proxy, heard, connects } = await behindProxy(false);
  await expect.poll(connects).toBe(1);
  proxy.freeze();
  await say('lost');
  await wait(1000);
  await proxy.mend();
  await expect.poll(connects).toBeGreaterThanOrEqual(2);
  await say('found');
  await expect.poll(() => heard).toContain('found');
});

test('stop() does not wait for a silent server and leaves no connection', async () => {
  const sockets: Socket[] = [];
  const ended: Socket[] = [];
  const silent = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket
      .on('end', () => ended.push(socket))
      .on('error', () => {})
      .resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const url = `postgres://nobody@127.0.0.1:${port}/nothing`;
  const listener = listen(url, { test_news: () => {} }, () => {}, createLogger('silent'));
  await expect.poll(() => sockets).toHaveLength(1);
  await listener.stop();
  await expect.poll(() => ended).toHaveLength(1);
});
