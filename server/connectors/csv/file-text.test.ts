import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { QueryError } from '../connector.ts';
import { decoderOf, textOf } from './file-text.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, encoding = 'utf-8', size = bytes.length || 1, maxBytes?: number): Promise<string> {
  let text = '';
  for await (const piece of textOf(inPieces(bytes, size), encoding, maxBytes)) text += piece;
  return text;
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['utf-8', Buffer.from('größe Ω🚀')],
  ['utf-8-sig', Buffer.from('\ufeffgröße Ω🚀')],
  ['utf8', Buffer.from('größe Ω🚀')],
  ['UTF_16', Buffer.from('\ufeffgröße Ω🚀', 'utf16le')],
  ['utf-16-le', Buffer.from('größe Ω🚀', 'utf16le')],
  ['utf-16-be', utf16be('größe Ω🚀')],
  ['utf-8', utf16be('\ufeffgröße Ω🚀')],
  ['utf-8', Buffer.from('\ufeffgröße Ω🚀', 'utf16le')],
])('section 19: pandas’ %s is read, and the mark at the beginning wins, however the file is cut', async (encoding, bytes) => {
  expect(await read(bytes, encoding)).toBe('größe Ω🚀');
  expect(await read(bytes, encoding, 1)).toBe('größe Ω🚀');
  expect(await read(gzipSync(bytes), encoding, 5)).toBe('größe Ω🚀');
});

test.each(['latin1', 'latin-1', 'Latin_1', 'L1', 'ISO-8859-1', 'iso8859-1', 'cp1252', 'windows-1252'])(
  'section 19: %s is read',
  async (encoding) => {
    expect(await read(Buffer.from('gr\xf6\xdfe', 'latin1'), encoding)).toBe('größe');
  },
);

test.each([
  ['latin-9', 'iso-8859-15'],
  ['cp932', 'shift_jis'],
  ['euc_jp', 'euc-jp'],
  ['mac_roman', 'macintosh'],
])('section 19: %s is %s', (encoding, known) => {
  expect(decoderOf(encoding).encoding).toBe(known);
});

test('an encoding that is none is named', () => {
  expect(() => decoderOf('utf-9')).toThrow("The encoding 'utf-9' is not known.");
});

test('another encoding than the named one is an error that names the option, never a question mark', async () => {
  for (const size of [1, 100]) {
    await expect(read(Buffer.from('gr\xf6\xdfe', 'latin1'), 'utf-8', size)).rejects.toThrow(
      "The file is not in the encoding utf-8. Name its own, such as 'encoding: latin-1'.",
    );
  }
  // The last character is cut in the middle.
  await expect(read(Buffer.from('größ').subarray(0, 5))).rejects.toThrow(QueryError);
});

test('an empty file is an empty text', async () => {
  expect(await read(new Uint8Array())).toBe('');
  expect(await read(gzipSync(''))).toBe('');
});

test('security 29: a packed file meets its limit unpacked', async () => {
  await expect(read(gzipSync(Buffer.alloc(8 * 1024 ** 2, 'a,b\n')), 'utf-8', 1000, 1024 ** 2)).rejects.toThrow(
    'The file grows too large when it is unpacked.',
  );
});

test('a packed file that is cut or broken is an error, not a short result', async () => {
  const whole = gzipSync('a,b\n1,2\n'.repeat(1000));
  for (const bytes of [whole.subarray(0, 40), Buffer.concat([whole.subarray(0, 40), Buffer.alloc(40, 7)])])
    await expect(read(bytes)).rejects.toThrow('The file is compressed, and a part of it is missing or broken.');
});
