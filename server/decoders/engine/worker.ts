import { parentPort, workerData } from 'node:worker_threads';
import type { Batch, BatchPart, EngineFault, EngineResult, WorkerSetup } from './protocol.ts';
import { type Loaded, Sandbox } from './sandbox.ts';

/** Results of a long batch are sent at this interval. */
const tellEveryMs = 5;
/** A call that took longer by the clock is judged by its processor time, which is measured for the calls of a part together. */
const trustedMs = 1;
/** The limit for loaded scripts; one takes about 200 KB, one with large tables more. */
const mostKeptBytes = 64 * 1024 * 1024;

const { wasm, begun } = workerData as WorkerSetup;
let sandbox = await Sandbox.create(wasm);
const scripts = new Map<string, string>();
const kept = new Map<string, Loaded | EngineFault>();
let keptBytes = 0;

const isLoaded = (found: Loaded | EngineFault): found is Loaded => 'low' in found;
const sizeOf = (found: Loaded | EngineFault) => (isLoaded(found) ? found.low.length + found.high.length : 1024);

function find(key: string): Loaded | EngineFault {
  const known = kept.get(key);
  if (known) {
    // Moves the script to the end, because the least recently used one is dropped first.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const found = sandbox.load(scripts.get(key) ?? '');
  // A time-out may be due to the machine, so it is not kept.
  if (!isLoaded(found) && found.code === 'decoder_timeout') return found;
  kept.set(key, found);
  keptBytes += sizeOf(found);
  for (const [oldest, entry] of kept) {
    if (keptBytes <= mostKeptBytes || oldest === key) break;
    kept.delete(oldest);
    keptBytes -= sizeOf(entry);
  }
  return found;
}

function forget(): void {
  scripts.clear();
  kept.clear();
  keptBytes = 0;
}

/** Replaces the engine after it failed inside its own code: neither its state nor the saved scripts can be trusted. */
async function replaceSandbox(error: unknown): Promise<EngineFault> {
  kept.clear();
  keptBytes = 0;
  sandbox = await Sandbox.create(wasm);
  const what = error instanceof RangeError ? 'InternalError: stack overflow' : 'The script broke the engine it ran in.';
  return { code: 'decoder_error', message: what };
}

async function run(key: string, call: Batch['calls'][number]): Promise<EngineResult> {
  const startedAt = performance.now();
  try {
    const loaded = find(key);
    if (!isLoaded(loaded)) return { fault: loaded, ms: performance.now() - startedAt };
    return sandbox.call(loaded, call);
  } catch (error) {
    return { fault: await replaceSandbox(error), ms: performance.now() - startedAt };
  }
}

async function take({ id, key, script, calls, forget: isForgetting }: Batch): Promise<void> {
  if (isForgetting) forget();
  if (script !== undefined) scripts.set(key, script);
  let [from, results, toldAt, cpu]: [number, EngineResult[], number, NodeJS.CpuUsage] = [
    0,
    [],
    performance.now(),
    process.threadCpuUsage(),
  ];
  const tell = () => {
    const { user, system } = process.threadCpuUsage(cpu);
    // On a busy machine a quick script must not pass for a slow one.
    const ms = (user + system) / 1000 / results.length;
    for (const result of results) if (result.ms > trustedMs) result.ms = Math.min(result.ms, ms);
    parentPort?.postMessage({ id, from, results } satisfies BatchPart);
    [from, results, toldAt, cpu] = [from + results.length, [], performance.now(), process.threadCpuUsage()];
  };
  for (const call of calls) {
    Atomics.add(begun, 0, 1);
    results.push(await run(key, call));
    if (performance.now() - toldAt > tellEveryMs) tell();
  }
  if (results.length > 0) tell();
}

let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (batch: Batch) => {
  last = last.then(() => take(batch));
});
// The first message says that the worker is ready.
parentPort?.postMessage({ id: 0, from: 0, results: [] } satisfies BatchPart);
