import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoint } from '@telltale/domain/endpoint.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createAuthentication } from '../../session/authentication.ts';
import { servicesOf } from '../../testing/live-server.ts';
import { testApp } from '../../testing/test-app.ts';
import { createHttp, Streamed } from './http.ts';

const services = servicesOf(await testApp());
const log = { ...services.log, error: vi.fn(), debug: vi.fn() } as unknown as typeof services.log;
const http = createHttp({ ...services, log }, createAuthentication(services, []));

/** The first byte takes a while, as with a large result. */
async function* rows() {
  for (let n = 0; n < 10; n++) {
    await sleep(100);
    yield Buffer.from('x'.repeat(5000));
  }
}
const ask = endpoint('POST', '/rows', { needs: 'anyone', body: z.object({}), reply: z.any(), summary: 'Rows.' });
http.server.after(() => http.on(ask, async () => new Streamed({ 'content-type': 'application/json' }, rows())));
const { hostname, port } = new URL(await http.server.listen({ host: '127.0.0.1', port: 0 }));
afterAll(() => http.server.close());

test.each([50, 150])('who leaves %i ms after they asked is no failure of ours', async (afterMs) => {
  const socket = connect(Number(port), hostname);
  socket.write('POST /rows HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
  await sleep(afterMs);
  socket.destroy();
  await sleep(300);
  expect(vi.mocked(log.error).mock.calls).toEqual([]);
});
