import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimPort } from './ports.ts';

async function takenPort(port = 0) {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

describe('ports', () => {
  test('0 becomes a free port that can be listened on afterwards', async () => {
    const port = await claimPort({ setting: 'PORT', host: '127.0.0.1', port: 0 });
    expect((await takenPort(port)).port).toBe(port);
  });

  test('a taken port is named with the setting that changes it', async () => {
    const { port } = await takenPort();
    await expect(claimPort({ setting: 'PORT', host: '127.0.0.1', port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is already in use. Set PORT to another one.`,
    );
  });

  test('a port that is being let go is waited for', async () => {
    const { server, port } = await takenPort();
    setTimeout(() => server.close(), 200);
    expect(await claimPort({ setting: 'PORT', host: '127.0.0.1', port, timeoutMs: 5000 })).toBe(port);
  });

  test('macOS is explained why 5000 is taken', async () => {
    await takenPort(5000).catch(() => undefined); // another process may hold it, which is just as good
    await expect(claimPort({ setting: 'PORT', host: '127.0.0.1', port: 5000, platform: 'darwin' })).rejects.toThrow('AirPlay');
  });

  test('a host that is not ours is named', async () => {
    await expect(claimPort({ setting: 'PORT', host: '192.0.2.1', port: 0 })).rejects.toThrow('192.0.2.1 is not an address of this machine');
  });
});
