import { beforeAll, describe, expect, test } from 'vitest';
import { type TargetDatabase, targetDatabase } from '../../testing/target-database.ts';
import { postgres, redshift } from '../postgres.ts';
import { olderFront } from '../testing/older-front.ts';
import { runTable, testEnv } from '../testing/run-table.ts';

let target: TargetDatabase;

beforeAll(async () => {
  target = await targetDatabase();
  // Where nothing is said about them, values are printed as nobody here can read them.
  for (const setting of [`datestyle = 'SQL, DMY'`, `intervalstyle = 'sql_standard'`, `timezone = 'Asia/Tokyo'`, `bytea_output = 'escape'`])
    await target.query(`alter database ${target.options.dbname} set ${setting}`);
});

const query = `select timestamptz '2026-01-31 10:00:00+00' as at, interval '1 day 5 seconds' as lasting, '\\x00ff'::bytea as bytes,
  current_setting('client_connection_check_interval') as watch`;
const values = { at: '2026-01-31T10:00:00Z', lasting: '1 day, 0:00:05', bytes: '00ff' };

const hidden = ['client_connection_check_interval'];
describe.each([
  ['a server that knows all settings', [], { ...values, watch: '5s' }],
  ['PostgreSQL before 14, which cannot look for its client', hidden, { ...values, watch: '0' }],
  ['a pooler, where nothing may be set at the start', ['options'], { ...values, watch: '0' }],
  ['one that does not know how else to print bytes', ['options', 'bytea_output'], { ...values, bytes: '\\000\\377', watch: '0' }],
] as const)('%s', (_name, unknown, row) => {
  test.each([postgres, redshift])('values can be read, by $type, after each statement', async (connector) => {
    const front = await olderFront(target.options, ...unknown);
    const connection = await connector.open({ ...target.options, port: front.port }, testEnv(), new AbortController().signal);
    try {
      for (let i = 0; i < 2; i++) {
        const { rows } = await runTable(connection, query);
        expect(rows).toEqual([row]);
      }
    } finally {
      await connection.close();
      await front.close();
    }
  });
});
