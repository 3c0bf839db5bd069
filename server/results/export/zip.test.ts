import { expect, test } from 'vitest';
import { directory } from './zip.ts';

const entry = { name: 'a', offset: 0, crc32: 1, size: 3, deflatedSize: 5 };

test('a directory below 4 GiB knows nothing of ZIP64', () => {
  const bytes = directory([entry], 100);
  expect(bytes.length).toBe(47 + 22);
  expect(bytes.readUInt32LE(47 + 16)).toBe(100);
});

test('beyond 4 GiB offsets go into ZIP64 fields', () => {
  const far = 5 * 2 ** 30;
  const bytes = directory([entry, { ...entry, offset: far }], far + 100);
  const record = 47;
  expect(bytes.readUInt32LE(record + 42)).toBe(0xffffffff);
  expect(bytes.readBigUInt64LE(record + 47 + 4)).toBe(BigInt(far));
  const end = record + 47 + 12;
  expect(bytes.readUInt32LE(end)).toBe(0x06064b50);
  expect(bytes.readBigUInt64LE(end + 48)).toBe(BigInt(far + 100));
  expect(bytes.readBigUInt64LE(end + 64)).toBe(BigInt(far + 100 + end));
  expect(bytes.readUInt32LE(end + 76)).toBe(0x06054b50);
});
