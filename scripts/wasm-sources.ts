import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is written in AssemblyScript, from the root of the repository. */
export const wasmSources = (): string[] => globSync('server/**/*.as').sort();

/** What a source takes from others (import or export … from './other'). */
const importsOf = (source: string): string[] =>
  [...readFileSync(source, 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) => `${join(dirname(source), path)}.as`);

/** Those that others are made of are compiled into them only. */
export function wasmModules(): string[] {
  const sources = wasmSources();
  const parts = new Set(sources.flatMap(importsOf));
  return sources.filter((source) => !parts.has(source));
}

/** Of a module and all it is made of. */
export function checksumOf(module: string): string {
  const hash = createHash('sha256').update(readFileSync(module));
  for (const part of importsOf(module)) hash.update(checksumOf(part));
  return hash.digest('hex');
}
