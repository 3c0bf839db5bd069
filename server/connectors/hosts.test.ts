import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { ConnectorEnv } from './connector.ts';
import { requireHost } from './hosts.ts';
import { mysql } from './mysql.ts';
import { postgres } from './postgres.ts';
import { closedPort } from './testing/cutting-proxy.ts';

const named =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test.each([
  ['169.254.169.254', []],
  ['168.63.129.16', []],
  ['[fe80::1]', []],
  ['fe80::1%eth0', []],
  ['febf::1', []],
  ['::ffff:169.254.1.1', []],
  ['::ffff:a9fe:a9fe', []],
  ['64:ff9b::a9fe:a9fe', []],
  ['fd00:ec2::254', []],
  ['metadata.example', ['169.254.169.254']],
  ['two-faced.example', ['203.0.113.5', '169.254.0.1']],
  ['2852039166', ['169.254.169.254']],
  ['0xa9fea9fe', ['169.254.169.254']],
])('design 8: %s is a link-local address and refused', async (host, addresses) => {
  await expect(requireHost(host, named(...addresses))).rejects.toThrow(/Link-local/);
});

test.each(['/var/run/postgresql', 'a/b', 'a b', '', 'host;port', 'user@host', '\\\\pipe', "a'b"])('%j is no host', async (host) => {
  await expect(requireHost(host, named('127.0.0.1'))).rejects.toThrow(/not the name of a host/);
});

test.each(['10.0.0.5', '127.0.0.1', '::1', '[::1]', 'fec0::1', 'fd00::5', 'db.example', 'żółć.example', 'my_db-1.internal.'])(
  'databases may be at %s',
  async (host) => {
    await expect(requireHost(host, named('192.168.1.5'))).resolves.toBeDefined();
  },
);

test('a name nobody knows is named', async () => {
  await expect(requireHost('nobody.example', named())).rejects.toThrow('The host nobody.example was not found.');
  await expect(requireHost('nobody.example', () => Promise.reject(new Error('ENOTFOUND')))).rejects.toThrow(/was not found/);
});

test('the connection goes to the address that was checked, not to what the name stands for later', async () => {
  const server = createServer((socket) => socket.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let asked = 0;
  const host = await requireHost('changing.example', async () => [{ address: ++asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
  const socket = host.socket().connect(port);
  const heard = await new Promise<string>((resolve, reject) => socket.on('data', (bytes) => resolve(String(bytes))).on('error', reject));
  expect([heard, asked]).toEqual(['here', 1]);
  await new Promise((resolve) => server.close(resolve));
});

test('of several servers behind one name the one that was met is met again, or nobody', async () => {
  const server = createServer((socket) => socket.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = await requireHost('several.example', named('127.0.0.1', '127.0.0.2'));
  const heardAt = (address: string) => {
    const socket = host.at(address).socket().connect(port);
    return new Promise<string>((resolve, reject) => socket.on('data', (bytes) => resolve(String(bytes))).on('error', reject));
  };
  expect(await heardAt('127.0.0.1')).toBe('here');
  await expect(heardAt('127.0.0.2')).rejects.toThrow();
  expect(() => host.at('127.0.0.3')).toThrow('The host several.example is no longer at 127.0.0.3.');
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  { type: 'pg', kind: postgres, rest: { dbname: 'x' } },
  { type: 'mysql', kind: mysql, rest: { db: 'x' } },
])('screens 12.1: a server of $type that refuses or closes the connection is told of in our words, at once', async ({ kind, rest }) => {
  const open = (port: number) => kind.open({ host: '127.0.0.1', port, ...rest }, {} as ConnectorEnv, AbortSignal.timeout(20_000));
  const closed = await closedPort();
  await expect(open(closed)).rejects.toThrow(`127.0.0.1:${closed} refused the connection.`);

  const server = createServer((socket) => socket.resume().end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(open(port)).rejects.toThrow(`127.0.0.1:${port} closed the connection without an answer.`);
  await new Promise((resolve) => server.close(resolve));
});
