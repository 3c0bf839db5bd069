import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const generator = createRequire(import.meta.url).resolve('kysely-codegen/dist/cli/bin.js');

/** Writes server/platform/database-types.ts from a migrated database; with `--verify` it only compares, and rejects what differs. */
export async function writeSchemaTypes(url: string, ...options: '--verify'[]): Promise<void> {
  const args = [
    ...['--dialect', 'postgres', '--url', url, '--default-schema', 'console', '--include-pattern', '(console|telemetry|app).*'],
    ...['--out-file', 'server/platform/database-types.ts', '--type-mapping', '{"timestamptz":"string","int8":"number","date":"string"}'],
  ];
  await promisify(execFile)(process.execPath, [generator, ...args, ...options], { cwd: root });
}
