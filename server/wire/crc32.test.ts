import { randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { combineCrc32 } from './crc32.ts';

test('the checksum of joined bytes comes from the checksums of the parts', () => {
  for (let i = 0; i < 200; i++) {
    const [a, b] = [randomBytes(randomInt(0, 3000)), randomBytes(randomInt(0, 3000))];
    expect(combineCrc32(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])));
  }
});

test('nothing before and nothing after change nothing', () => {
  const checksum = crc32('rows');
  expect(combineCrc32(0, checksum, 4)).toBe(checksum);
  expect(combineCrc32(checksum, 0, 0)).toBe(checksum);
});

test('parts above 4 GiB are joined too', () => {
  const zeros = new Uint8Array(2 ** 20);
  const megabyte = crc32(zeros);
  let sixGigabytes = 0;
  for (let i = 0; i < 6 * 1024; i++) sixGigabytes = combineCrc32(sixGigabytes, megabyte, zeros.length);
  const halves = combineCrc32(0, sixGigabytes, 6 * 2 ** 30);
  expect(combineCrc32(crc32('x'), halves, 6 * 2 ** 30)).toBe(
    Array.from({ length: 6 * 1024 }).reduce<number>((sum) => combineCrc32(sum, megabyte, zeros.length), crc32('x')),
  );
});
