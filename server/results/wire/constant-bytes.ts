import { type ByteSink, viewOf } from './byte-sink.ts';

/** Bytes written again and again, such as a column's key, kept as 8-byte words. */
export interface ConstantBytes {
  words: Float64Array;
  length: number;
}

/**
 * The words are never NaN, whose bits a double would not keep: that takes a byte of 0xf0 or more before 0x7f or 0xff,
 * and in UTF-8 none is.
 */
export function constantBytes(text: string): ConstantBytes {
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc(Math.ceil(bytes.length / 8) * 8);
  padded.set(bytes);
  const view = viewOf(padded);
  return { words: Float64Array.from({ length: padded.length / 8 }, (_, i) => view.getFloat64(i * 8, true)), length: bytes.length };
}

/** Needs room for the length rounded up to a word. */
export function writeConstant({ words, length }: ConstantBytes, out: ByteSink): void {
  const { view } = out;
  const at = out.length;
  for (let i = 0; i < words.length; i++) view.setFloat64(at + i * 8, words[i] as number, true);
  out.length = at + length;
}
