import { type AddressInfo, connect, createServer } from 'node:net';
import type { Endpoint } from './cutting-proxy.ts';

const cString = (text: string) => Buffer.from(`${text}\0`);

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const fault = (severity: string, text: string) =>
  message('E', Buffer.concat([cString(`S${severity}`), cString('C42704'), cString(`M${text}`), Buffer.alloc(1)]));
const ready = message('Z', Buffer.from('I'));

/**
 * A proxy that makes PostgreSQL look like an older version, a relative or a pooler: it refuses the unknown settings at the start
 * (`options`: all settings) and in SET. Everything else goes to the real server.
 */
export async function olderFront(target: Endpoint, ...unknown: string[]): Promise<Endpoint & { close(): Promise<void> }> {
  const server = createServer((near) => {
    const far = connect(target.port, target.host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
    far.pipe(near);
    let isStarted = false;
    near.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (!isStarted) {
        isStarted = true;
        const refused = unknown.find((name) => text.includes(name));
        const told = refused === 'options' ? 'unsupported startup parameter: options' : `unrecognized configuration parameter "${refused}"`;
        if (refused) near.end(fault('FATAL', told));
        else far.write(bytes);
        return;
      }
      const refused = unknown.find((name) => text.startsWith('Q') && new RegExp(`\\bset ${name}\\b`).test(text));
      if (refused) near.write(Buffer.concat([fault('ERROR', `unrecognized configuration parameter "${refused}"`), ready]));
      else far.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port, close: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}
