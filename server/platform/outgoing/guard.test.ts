import { expect, test } from 'vitest';
import { createGuard } from './guard.ts';

const isAllowed = (listed: string[], host: string, address: string, isTrusted = false) => {
  try {
    createGuard(listed).check(host, address, isTrusted);
    return true;
  } catch {
    return false;
  }
};

test.each([
  [['*'], 'a.test', '10.0.0.1', true],
  [['10.0.0.0/8'], 'a.test', '10.0.0.1', true],
  [['10.0.0.0/8'], 'a.test', '::ffff:10.0.0.1', true],
  [['10.0.0.0/8'], 'a.test', '11.0.0.1', true],
  [['10.0.0.0/8'], 'a.test', '192.168.0.1', false],
  [['fd00::/8'], 'a.test', 'fd12::1', true],
  [['fd00::/8'], 'a.test', 'fc12::1', false],
  [['::1'], '::1', '::1', true],
  [['[::1]'], '::1', '::1', true],
  [['a.test'], 'a.test', '10.0.0.1', true],
  [['A.Test.'], 'a.test', '10.0.0.1', true],
  [['bücher.test'], 'xn--bcher-kva.test', '10.0.0.1', true],
  [['a.test'], 'b.a.test', '10.0.0.1', false],
  [[], 'a.test', '8.8.8.8', true],
] as const)('with %j listed, %s at %s: %s', (listed, host, address, allowed) => {
  expect(isAllowed([...listed], host, address)).toBe(allowed);
});

test.each([
  ['*', true],
  ['0.0.0.0/0', false],
  ['169.254.0.0/16', false],
  ['a.test', false],
])('only * opens the metadata service: %s → %s, and not for a saved database', (entry, allowed) => {
  expect(isAllowed([entry], 'a.test', '169.254.169.254')).toBe(allowed);
  expect(isAllowed([entry], 'a.test', '169.254.169.254', true)).toBe(false);
});

test('a saved database may stand in any other place', () => {
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '8.8.8.8']) expect(isAllowed([], 'a.test', address, true)).toBe(true);
});
