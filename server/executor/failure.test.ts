import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { QueryError } from '../connectors/connector.ts';
import { isLoadable } from '../connectors/drivers.ts';
import { duckdb } from '../connectors/duckdb.ts';
import { failureOf } from './failure.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

/** Runs on a machine for which the engine's package has no binary, and prints the failure. */
const script = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      if (!name.startsWith('@duckdb/node-bindings-')) return next(name, context);
      throw Object.assign(new Error("Cannot find module '" + name + "'\\nRequire stack:\\n- /srv/telltale/duckdb.js"), { code: 'MODULE_NOT_FOUND' });
    },
  });
  const { findConnector } = await import('${new URL('../connectors/index.ts', import.meta.url)}');
  const { failureOf } = await import('${new URL('./failure.ts', import.meta.url)}');
  const env = { filesFolder: ${JSON.stringify(import.meta.dirname)}, results: () => {} };
  const told = ['duckdb', 'results'].map((type) =>
    findConnector(type).open(type === 'duckdb' ? { dbpath: 'failure.ts' } : {}, env).catch((error) => failureOf(error, findConnector(type)).message));
  console.log(JSON.stringify(await Promise.all(told)));`;

test('an engine that cannot be loaded is reported by its name, without a stack or a folder', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const message = 'DuckDB is not available on this machine.';
  expect(JSON.parse(stdout)).toEqual([message, message]);
});

test('a binary for another machine is reported the same way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-binary-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'x.node'), 'no binary');
  const error = thrownBy(() => process.dlopen({ exports: {} } as NodeModule, join(folder, 'x.node')));
  expect(failureOf(error, duckdb).message).toBe('DuckDB is not available on this machine.');
});

test('what can be loaded is found out in a process of its own', async () => {
  expect(await isLoadable({ module: '@duckdb/node-api' })).toBe(true);
  expect(await isLoadable({ module: '@duckdb/no-such-package' })).toBe(false);
});

test('security 27: neither stacks nor folders of the machine are told of what a driver throws', () => {
  const root = join(import.meta.dirname, '../..');
  const told = (message: string) => failureOf(new Error(message), duckdb, ['/srv/files']).message;
  expect(told(`cannot read ${root}/node_modules/x/y.js\n    at open (${root}/a.js:1:2)\n    at more`)).toBe(
    'cannot read node_modules/x/y.js',
  );
  expect(told(`ENOENT: no such file or directory, open '/srv/files/a/b.csv'`)).toBe(`ENOENT: no such file or directory, open 'a/b.csv'`);
  expect(told('connect ECONNREFUSED 127.0.0.1:5432')).toBe('connect ECONNREFUSED 127.0.0.1:5432');
  expect(told(`    at open (${root}/a.js)`)).toBe('The source failed without saying why.');
  expect(failureOf(new QueryError('no table /srv/files/x', { line: 2 }), duckdb, ['/srv/files'])).toMatchObject({ line: 2 });
});
