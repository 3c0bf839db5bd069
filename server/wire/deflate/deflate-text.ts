import { join } from 'node:path';
import { growTo, loadWasm, type WasmNumber } from '../wasm.ts';

interface Engine {
  deflate(src: number, end: number, out: number, scratch: number): number;
  firstFree: WasmNumber;
}

const file = join(import.meta.dirname, 'deflate-text.wasm');
/** Places of four bytes and the tokens of a block, as deflate-text.as lays them out. */
const scratchBytes = 4 * 4096 + 4 * 65_536;
/** What may be read or written beyond anything. */
const slack = 64;
/** So much at once: its memory never becomes smaller, and each piece is one that inflates by itself. */
export const pieceBytes = 1024 * 1024;
/** What cannot be made smaller becomes a little larger. */
const outBytes = pieceBytes + 16 * 1024;

/** One for this process: nothing waits while it works. */
let engine: ReturnType<typeof loadWasm<Engine>> | undefined;

/** Raw deflate that needs nothing from before and ends with a full flush on a byte boundary: what is made so joins into one stream. */
export function deflateText(bytes: Uint8Array): Buffer {
  if (bytes.length <= pieceBytes) return deflatePiece(bytes);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(deflatePiece(bytes.subarray(at, at + pieceBytes)));
  return Buffer.concat(pieces);
}

function deflatePiece(bytes: Uint8Array): Buffer {
  engine ??= loadWasm<Engine>(file);
  const { exports, memory } = engine;
  const scratch = Math.ceil(exports.firstFree.value / 16) * 16;
  const src = scratch + scratchBytes;
  growTo(memory, src + pieceBytes + outBytes + 2 * slack);
  const heap = Buffer.from(memory.buffer);
  heap.set(bytes, src);
  const out = src + bytes.length + slack;
  const end = exports.deflate(src, src + bytes.length, out, scratch);
  const result = Buffer.allocUnsafeSlow(end - out);
  heap.copy(result, 0, out, end);
  return result;
}
