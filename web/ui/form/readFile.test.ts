import { expect, test } from 'vitest';
import { readFileAsBase64 } from './readFile.ts';

test('A5: a file becomes base64 without the prefix of a data URL', async () => {
  expect(await readFileAsBase64(new Blob(['{"key": "å"}']))).toBe(Buffer.from('{"key": "å"}').toString('base64'));
});

test('bytes that are no text and large files survive', async () => {
  const bytes = new Uint8Array(200_000).map((_, at) => at % 256);
  expect(await readFileAsBase64(new Blob([bytes]))).toBe(Buffer.from(bytes).toString('base64'));
});
