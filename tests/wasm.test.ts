import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checksumOf, wasmModules } from '../scripts/wasm-sources.ts';

test.each(wasmModules())('%s is what the file beside it was compiled from (npm run wasm)', (module) => {
  const compiled = readFileSync(module.replace(/\.as$/, '.wasm'));
  expect(compiled.subarray(-64).toString()).toBe(checksumOf(module));
});
