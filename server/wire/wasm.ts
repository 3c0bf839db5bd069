import { readFileSync } from 'node:fs';

/** A number that a module exports. */
export interface WasmNumber {
  readonly value: number;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const pageBytes = 65_536;

// The types of WebAssembly come only with those of browsers.
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => WasmMemory;
  Module: new (bytes: Buffer) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};

/** Loads a module that was written as *.as and compiled by `npm run wasm`, with a memory of its own. */
export function loadWasm<Exports>(file: string): { exports: Exports; memory: WasmMemory } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { env: { memory } });
  return { exports: exports as Exports, memory };
}

export function growTo(memory: WasmMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
}
