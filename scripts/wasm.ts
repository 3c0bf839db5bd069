import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Compiles what is written in AssemblyScript (*.as) to the *.wasm beside it, which is committed: the compiler is a hundred megabytes
 * that nobody else needs. Each file carries the checksum of its source, and a test compares the two.
 */
const compiler = 'assemblyscript@0.28.20';
const options = '-O3 --noAssert --runtime stub --enable simd --enable bulk-memory --importMemory --initialMemory 1'.split(' ');

for (const source of globSync('server/**/*.as')) {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-wasm-'));
  const [copy, compiled] = [join(folder, `${basename(source, '.as')}.ts`), source.replace(/\.as$/, '.wasm')];
  copyFileSync(source, copy);
  execFileSync('npx', ['--yes', '-p', compiler, 'asc', copy, '-o', join(folder, 'out.wasm'), ...options], { stdio: 'inherit' });
  const checksum = createHash('sha256').update(readFileSync(source)).digest('hex');
  writeFileSync(compiled, Buffer.concat([readFileSync(join(folder, 'out.wasm')), customSection('source', checksum)]));
  rmSync(folder, { recursive: true });
  console.log(compiled);
}

/** A part of the file that machines ignore; names and texts here are shorter than 128 bytes, so each length is one byte. */
function customSection(name: string, text: string): Buffer {
  const content = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from(text)]);
  return Buffer.concat([Buffer.from([0, content.length]), content]);
}
