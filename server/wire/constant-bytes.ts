import { type ByteSink, viewOf } from './byte-sink.ts';

/** Bytes that are often written or compared, such as a column's key, kept as 8-byte words. */
export interface ConstantBytes {
  length: number;
  /** The bytes from the beginning; the last word is padded with zeros. */
  words: Float64Array;
  /** The first and the last eight bytes (four, when there are fewer than eight). */
  first: number;
  last: number;
}

/**
 * The words are never NaN, whose bits a double would not keep: a NaN needs a byte of 0xf0 or more before 0x7f or 0xff, which UTF-8 never
 * contains.
 */
export function constantBytes(text: string): ConstantBytes {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const padded = Buffer.alloc(Math.max(8, Math.ceil(length / 8) * 8));
  padded.set(bytes);
  const view = viewOf(padded);
  const words = Float64Array.from({ length: Math.ceil(length / 8) }, (_, i) => view.getFloat64(i * 8, true));
  if (length < 8) return { length, words, first: view.getInt32(0, true), last: view.getInt32(Math.max(0, length - 4), true) };
  return { length, words, first: view.getFloat64(0, true), last: view.getFloat64(length - 8, true) };
}

/** Needs room for the length rounded up to a word. */
export function writeConstant({ words, length }: ConstantBytes, out: ByteSink): void {
  const { view } = out;
  const at = out.length;
  for (let i = 0; i < words.length; i++) view.setFloat64(at + i * 8, words[i] as number, true);
  out.length = at + length;
}

/** Whether the constant, of four bytes or more, stands at `at`. */
export function isConstantAt({ length, words, first, last }: ConstantBytes, view: DataView, at: number): boolean {
  if (at + length > view.byteLength) return false;
  if (length < 8) return view.getInt32(at, true) === first && view.getInt32(at + length - 4, true) === last;
  if (view.getFloat64(at, true) !== first || view.getFloat64(at + length - 8, true) !== last) return false;
  for (let i = 1; i * 8 + 8 < length; i++) if (view.getFloat64(at + i * 8, true) !== words[i]) return false;
  return true;
}
