import { spawnSync } from 'node:child_process';
import { startTestPostgres } from '../server/testing/postgres.ts';

/** Writes server/platform/database-types.ts from a freshly migrated database; `--verify` only compares. */
const postgres = await startTestPostgres();
try {
  const { status } = spawnSync(
    'kysely-codegen',
    [
      ...['--dialect', 'postgres', '--url', postgres.url, '--default-schema', 'console', '--include-pattern', '(console|telemetry|app).*'],
      ...['--out-file', 'server/platform/database-types.ts', '--type-mapping', '{"timestamptz":"string","int8":"number","date":"string"}'],
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', shell: process.platform === 'win32' },
  );
  process.exitCode = status ?? 1;
} finally {
  await postgres.stop();
}
