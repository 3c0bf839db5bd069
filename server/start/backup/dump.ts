import { createHash } from 'node:crypto';
import type pg from 'pg';
import { version } from '../../version.ts';
import type { Manifest } from './backup-file.ts';
import { listMigrations, listParts, listTables, type Table } from './tables.ts';

export interface DumpOptions {
  withTelemetry: boolean;
  secretKey: string;
  /** False where the key is kept elsewhere. */
  hasKey: boolean;
}

export const fingerprintOf = (secretKey: string): string => createHash('sha256').update(`telltale backup ${secretKey}`).digest('hex');

/** The number of rows per read; those of stored results are large. */
const rowsAtOnce = (name: string) => (name === 'console.query_result_chunks' ? 10 : 500);

/** Dumps one snapshot of the whole database, while others go on writing. */
export async function* dumpLines(client: pg.Client, { withTelemetry, secretKey, hasKey }: DumpOptions): AsyncGenerator<string> {
  await client.query('begin isolation level repeatable read read only');
  try {
    const manifest: Manifest = {
      format: 'telltale backup 1',
      made_at: new Date().toISOString(),
      version,
      migrations: await listMigrations(client),
      has_telemetry: withTelemetry,
      key_fingerprint: fingerprintOf(secretKey),
      secret_key: hasKey ? secretKey : null,
      parts: withTelemetry ? await listParts(client) : [],
    };
    yield JSON.stringify(manifest);
    for (const table of await listTables(client, withTelemetry)) {
      yield JSON.stringify({ table: table.name, columns: table.columns });
      yield* rowsOf(client, table);
    }
  } finally {
    await client.query('rollback');
  }
}

async function* rowsOf(client: pg.Client, { name, columns }: Table): AsyncGenerator<string> {
  await client.query(
    `declare rows no scroll cursor for select row_to_json(r)::text as line from (select ${columns.join(', ')} from ${name}) r`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsAtOnce(name)} from rows`);
    // Line ends in texts are escaped in JSON, so a row is one line.
    for (const { line } of rows) yield line;
    if (rows.length === 0) break;
  }
  await client.query('close rows');
}
