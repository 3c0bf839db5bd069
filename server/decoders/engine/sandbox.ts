import { readFileSync } from 'node:fs';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { EngineCall, EngineCode, EngineFault, EngineResult } from './protocol.ts';
import { timedOut } from './timed-out.ts';

const prelude = readFileSync(new URL('./prelude.js', import.meta.url), 'utf8');

/** The package declares the types of its other build. */
const engine = variant as unknown as QuickJSSyncVariant;

const commands = ['decodeUplink', 'encodeDownlink', 'decodeDownlink'];
/** The functions that the prelude returns. */
const functionNames = ['entries', ...commands, ...commands.map((command) => `${command} logged`)];

const page = 16_384;
/** The engine's own stack lies between its static data and its heap, and is far larger than scripts may use. */
const stackMargin = 1024 * 1024;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The engine's memory after a script was loaded: every call starts from this state. */
export interface Loaded {
  low: Uint8Array;
  high: Uint8Array;
}

/**
 * One QuickJS engine in WebAssembly (iot-behaviour 4.3). A script is loaded once, then the memory of the whole engine is saved, and
 * restored before each call: no call sees a global, a closure or a changed prototype of another one, and nothing leaks. That costs a few
 * microseconds; a fresh context would cost half a millisecond.
 */
export class Sandbox {
  readonly #memory: WasmMemory;
  readonly #context: QuickJSContext;
  readonly #functions = new Map<string, QuickJSHandle>();
  readonly #heapStart: number;
  readonly #lowEnd: number;
  readonly #empty: Loaded;
  #startedAt = 0;
  #startedCpu: ReturnType<typeof process.threadCpuUsage> | undefined;
  #isTimeUp = false;

  private constructor(memory: WasmMemory, heapStart: number, runtime: QuickJSRuntime) {
    this.#memory = memory;
    this.#heapStart = heapStart;
    runtime.setMemoryLimit(decoderLimits.memoryBytes);
    runtime.setMaxStackSize(decoderLimits.stackBytes);
    runtime.setInterruptHandler(() => this.#isOver());
    this.#context = runtime.newContext();
    this.#begin();
    const functions = this.#context.unwrapResult(this.#context.evalCode(prelude, 'prelude.js', { type: 'global' }));
    for (const name of functionNames) this.#functions.set(name, this.#context.getProp(functions, name));
    this.#lowEnd = this.#usedBelow(heapStart - stackMargin);
    this.#empty = this.#keep();
  }

  static async create(wasm: EngineCode): Promise<Sandbox> {
    const module = await newQuickJSWASMModuleFromVariant(newVariant(engine, { wasmModule: wasm as never }));
    const memory = module.getWasmMemory() as WasmMemory;
    const before = lastUsed(new Uint8Array(memory.buffer));
    const runtime = module.newRuntime();
    // The first allocation lies at the start of the heap; its page and the page before it are part of the heap.
    return new Sandbox(memory, Math.max(0, Math.floor(before / 16) * 16 - page), runtime);
  }

  /** Loads a script; a fault is an error in the script or a time-out. */
  load(script: string): Loaded | EngineFault {
    this.#restore(this.#empty);
    this.#begin();
    const context = this.#context;
    const result = context.evalCode(script, 'decoder.js', { type: 'global' });
    if (result.error) return this.#faultOf(result.error);
    result.value.dispose();
    const entries = this.#invoke({ command: 'entries', input: '', withLog: false });
    return typeof entries === 'string' ? this.#keep() : entries;
  }

  call(loaded: Loaded, call: EngineCall): EngineResult {
    const begun = performance.now();
    this.#restore(loaded);
    this.#begin();
    const answer = this.#invoke(call);
    const ms = performance.now() - begun;
    return typeof answer === 'string' ? { text: answer, ms } : { fault: answer, ms };
  }

  #invoke({ command, input, withLog }: EngineCall): string | EngineFault {
    const context = this.#context;
    const run = this.#functions.get(withLog && command !== 'entries' ? `${command} logged` : command);
    if (!run) throw new Error(`There is no function ${command}.`);
    const result = context.callFunction(run, context.undefined, context.newString(input));
    if (result.error) return this.#faultOf(result.error);
    return context.getString(result.value);
  }

  /** Handles are not released, because the next call restores the whole memory. */
  #faultOf(error: QuickJSHandle): EngineFault {
    if (this.#isTimeUp) return timedOut(decoderLimits.softMs);
    this.#begin();
    const thrown: unknown = this.#context.dump(error);
    if (this.#isTimeUp) return timedOut(decoderLimits.softMs);
    const { name, message, stack } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Record<string, unknown>;
    const text = typeof message === 'string' ? `${typeof name === 'string' ? name : 'Error'}: ${message}` : String(thrown);
    const place = /decoder\.js:(\d+)(?::(\d+))?/.exec(typeof stack === 'string' ? stack : '');
    return {
      code: 'decoder_error',
      message: text.slice(0, decoderLimits.textLength),
      ...(place ? { line: Number(place[1]) } : {}),
      ...(place?.[2] ? { column: Number(place[2]) } : {}),
    };
  }

  #begin(): void {
    this.#startedAt = performance.now();
    this.#startedCpu = undefined;
    this.#isTimeUp = false;
  }

  /** Checks the clock first, because it is cheap to read; only CPU time of this thread counts. */
  #isOver(): boolean {
    const ms = performance.now() - this.#startedAt;
    if (ms < decoderLimits.softMs / 2) return false;
    this.#startedCpu ??= process.threadCpuUsage();
    const { user, system } = process.threadCpuUsage(this.#startedCpu);
    this.#isTimeUp = decoderLimits.softMs / 2 + (user + system) / 1000 >= decoderLimits.softMs;
    return this.#isTimeUp;
  }

  #usedBelow(end: number): number {
    return Math.ceil((lastUsed(new Uint8Array(this.#memory.buffer, 0, end)) + 1) / page) * page;
  }

  #keep(): Loaded {
    const bytes = new Uint8Array(this.#memory.buffer);
    return { low: bytes.slice(0, this.#lowEnd), high: bytes.slice(this.#heapStart, lastUsed(bytes) + 1) };
  }

  #restore({ low, high }: Loaded): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.set(low);
    bytes.set(high, this.#heapStart);
  }
}

function lastUsed(bytes: Uint8Array): number {
  let last = bytes.length - 1;
  while (last > 0 && bytes[last] === 0) last--;
  return last;
}
