import { expect, test } from 'vitest';
import { plainAddress, reachOf } from './address.ts';

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::0.0.1.2',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::5',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  'not an address',
])('security 9: %s is private', (address) => {
  expect(reachOf(address)).toBe('private');
});

test.each([
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fe80::a9fe:a9fe%1',
])('security 9: %s is a metadata service', (address) => {
  expect(reachOf(address)).toBe('metadata');
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.128.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
])('%s is public', (address) => {
  expect(reachOf(address)).toBe('public');
});

test('an address inside another one is found whatever way it is written', () => {
  expect(plainAddress('0:0:0:0:0:ffff:c0a8:101')).toBe('192.168.1.1');
  expect(plainAddress('::FFFF:192.168.1.1')).toBe('192.168.1.1');
  expect(plainAddress('2001:4860::8888')).toBe('2001:4860::8888');
});
