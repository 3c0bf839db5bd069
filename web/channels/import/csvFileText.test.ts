import { expect, test } from 'vitest';
import { csvFileText } from './csvFileText.ts';

test.each([
  ['UTF-8', [0x73, 0xc3, 0xbc, 0x64]],
  ['UTF-8 with a BOM', [0xef, 0xbb, 0xbf, 0x73, 0xc3, 0xbc, 0x64]],
  ['UTF-16', [0xff, 0xfe, 0x73, 0, 0xfc, 0, 0x64, 0]],
  ['the code page of Windows', [0x73, 0xfc, 0x64]],
])('%s is read', async (_, bytes) => {
  expect(await csvFileText(new Blob([new Uint8Array(bytes)]))).toBe('süd');
});
