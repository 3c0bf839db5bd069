import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The sources in AssemblyScript, from the root of the repository. */
export const wasmSources = (): string[] => globSync('server/**/*.as').sort();

/** The imports of a source (import or export … from './other'). */
const importsOf = (source: string): string[] =>
  [...readFileSync(source, 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) => `${join(dirname(source), path)}.as`);

/** The sources to compile: those that others import are compiled into them only. */
export function wasmModules(): string[] {
  const sources = wasmSources();
  const parts = new Set(sources.flatMap(importsOf));
  return sources.filter((source) => !parts.has(source));
}

/** The checksum of a module and all its imports. */
export function checksumOf(module: string): string {
  const hash = createHash('sha256').update(readFileSync(module));
  for (const part of importsOf(module)) hash.update(checksumOf(part));
  return hash.digest('hex');
}
