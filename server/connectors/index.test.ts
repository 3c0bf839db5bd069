import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('drivers and engines are loaded by the first source that needs them', () => {
  const look = `
    import { createRequire } from 'node:module';
    const { connectors } = await import('./index.ts');
    const { cache } = createRequire(import.meta.url);
    const drivers = ['pg', 'mysql2', '@duckdb/node-api'].filter((name) => Object.keys(cache).some((path) => path.includes('/node_modules/' + name + '/')));
    const engines = process.moduleLoadList.filter((name) => /NativeModule sqlite/.test(name));
    console.log(JSON.stringify({ count: connectors.length, drivers, engines }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', look], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({ count: expect.any(Number), drivers: [], engines: [] });
});
