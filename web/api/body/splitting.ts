import { RowSplitter } from './RowSplitter.ts';

/** As much text as is parsed in some milliseconds. */
const sliceBytes = 256 * 1024;

/** From the page to the worker: bytes of a reply, and its end. */
export type ToSplitter = { bytes: Uint8Array<ArrayBuffer> } | { isEnd: true };
/** From the worker: rows as an array in JSON, the bytes are used, the reply around the rows. */
export type FromSplitter = { slice: string } | { isTaken: true } | { envelope: string };

/** Answers each message with all that has become complete by it. */
export function createSplitting(): (message: ToSplitter) => FromSplitter[] {
  const splitter = new RowSplitter(sliceBytes);
  return (message) => {
    if ('bytes' in message) return [...splitter.push(message.bytes).map((slice) => ({ slice })), { isTaken: true }];
    const { slice, envelope } = splitter.end();
    return [...(slice === null ? [] : [{ slice }]), { envelope }];
  };
}
