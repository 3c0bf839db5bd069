import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checksumOf, wasmModules, wasmSources } from './wasm-sources.ts';

/**
 * Compiles the AssemblyScript sources (*.as) to the *.wasm beside them, which are committed: the compiler is a hundred megabytes that only
 * this script needs. Each file carries the checksum of its source, and a test compares the two.
 */
const compiler = 'assemblyscript@0.28.20';
const options = '-O3 --noAssert --runtime stub --enable simd --enable bulk-memory --importMemory --initialMemory 1'.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'telltale-wasm-'));
const copyOf = (source: string) => join(folder, source.replace(/\.as$/, '.ts'));
for (const source of wasmSources()) {
  mkdirSync(dirname(copyOf(source)), { recursive: true });
  copyFileSync(source, copyOf(source));
}
for (const module of wasmModules()) {
  const [out, compiled] = [join(folder, 'out.wasm'), module.replace(/\.as$/, '.wasm')];
  execFileSync('npx', ['--yes', '-p', compiler, 'asc', copyOf(module), '-o', out, ...options], { stdio: 'inherit' });
  writeFileSync(compiled, Buffer.concat([readFileSync(out), customSection('source', checksumOf(module))]));
  console.log(compiled);
}
rmSync(folder, { recursive: true });

/** A section that engines ignore; names and texts here are shorter than 128 bytes, so each length is one byte. */
function customSection(name: string, text: string): Buffer {
  const content = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from(text)]);
  return Buffer.concat([Buffer.from([0, content.length]), content]);
}
