import { join } from 'node:path';
import { growTo, loadWasm, type WasmNumber } from '../wasm.ts';

interface Engine {
  deflate(src: number, end: number, out: number, scratch: number, least: bigint): number;
  firstFree: WasmNumber;
}

const file = join(import.meta.dirname, 'deflate-text.wasm');
/** Memory for positions of bytes and the tokens of a block, as deflate-text.as lays them out. */
const scratchBytes = 4 * 4096 + 4 * 65_536;
/** The number of bytes that may be read or written beyond the end of anything. */
const slack = 64;
/** The size of a piece: the engine's memory never shrinks, and each piece inflates by itself. */
export const pieceBytes = 1024 * 1024;
/** Room for the output: incompressible bytes become a little larger. */
const outBytes = pieceBytes + 16 * 1024;

/** One engine for this process: it works synchronously. */
let engine: ReturnType<typeof loadWasm<Engine>> | undefined;

/** The shortest match worth encoding: between keys there are long repetitions, between short fields short ones. */
const worthTelling = { keys: 6n, fields: 4n };
export type Repetitive = keyof typeof worthTelling;

/** Raw deflate without a preset window that ends with a full flush on a byte boundary, so that such pieces join into one stream. */
export function deflateText(bytes: Uint8Array, by: Repetitive = 'keys'): Buffer {
  if (bytes.length <= pieceBytes) return deflatePiece(bytes, by);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(deflatePiece(bytes.subarray(at, at + pieceBytes), by));
  return Buffer.concat(pieces);
}

function deflatePiece(bytes: Uint8Array, by: Repetitive): Buffer {
  engine ??= loadWasm<Engine>(file);
  const { exports, memory } = engine;
  const scratch = Math.ceil(exports.firstFree.value / 16) * 16;
  const src = scratch + scratchBytes;
  growTo(memory, src + pieceBytes + outBytes + 2 * slack);
  const heap = Buffer.from(memory.buffer);
  heap.set(bytes, src);
  const out = src + bytes.length + slack;
  const end = exports.deflate(src, src + bytes.length, out, scratch, worthTelling[by]);
  const result = Buffer.allocUnsafeSlow(end - out);
  heap.copy(result, 0, out, end);
  return result;
}
