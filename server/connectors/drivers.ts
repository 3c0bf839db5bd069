import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A package with a native binary, which may be missing or built for another machine. */
export interface Driver {
  /** The name for users. */
  name: string;
  /** The module name for Node. */
  module: string;
}

export const duckdbDriver: Driver = { name: 'DuckDB', module: '@duckdb/node-api' };

export const unavailableMessage = ({ name }: { name: string }): string => `${name} is not available on this machine.`;

const loadCodes = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/** True when a module is missing or not built for this machine. The error text contains nothing but folders. */
export const isLoadFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && loadCodes.has(error.code);

const failureHoldsMs = 60_000;
const known = new Map<string, Promise<boolean>>();

/** Tries to load it in a process of its own, because a binary for another processor may crash the process. */
export function isLoadable({ module }: Pick<Driver, 'module'>): Promise<boolean> {
  const found = known.get(module) ?? tryToLoad(module);
  known.set(module, found);
  return found;
}

async function tryToLoad(module: string): Promise<boolean> {
  const load = ['--input-type=module', '-e', `await import(${JSON.stringify(module)})`];
  try {
    await promisify(execFile)(process.execPath, load, { cwd: import.meta.dirname, env: {}, timeout: 30_000 });
    return true;
  } catch {
    // A failure is forgotten after a while: it may only have been a lack of memory.
    setTimeout(() => known.delete(module), failureHoldsMs).unref();
    return false;
  }
}
