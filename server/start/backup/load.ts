import type pg from 'pg';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { listMigrations, listTables, type Table } from './tables.ts';

const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });

/** Characters of rows that are sent at once. */
const mostAtOnce = 4 * 1024 * 1024;

/**
 * Loads a backup into a database that was migrated and never used: all of it or nothing. References are checked at the end, because tables
 * refer to each other in circles.
 */
export async function loadBackup(client: pg.Client, file: string, manifest: Manifest): Promise<{ tables: number; rows: number }> {
  await requireFitting(client, manifest);
  const tables = await listTables(client, true);
  await client.query('begin');
  try {
    // The lock keeps others from using the database meanwhile.
    await client.query("set local lock_timeout = '10s'");
    await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access exclusive mode`);
    await requireEmpty(client);
    const constraints = await dropReferences(client);
    for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
    for (const { name } of tables) await client.query(`delete from ${name}`);
    for (const { name, of, bound } of manifest.parts) await client.query(`create table if not exists ${name} partition of ${of} ${bound}`);
    const loaded = await loadRows(client, file, tables);
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
    for (const { table, name, definition } of constraints) await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    await advanceSequences(client);
    await client.query('commit');
    return loaded;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function requireFitting(client: pg.Client, { migrations, version }: Manifest): Promise<void> {
  const own = await listMigrations(client);
  if (own.join() === migrations.join()) return;
  throw new StartError(
    `This backup was made by version ${version}, whose tables differ from these. Restore it with that version, then update.`,
  );
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_used: boolean }>(
    'select exists (select from console.users) or exists (select from telemetry.channel) or exists (select from console.queries) as is_used',
  );
  if (rows[0]?.is_used) throw new StartError('This installation is in use already. A backup is restored into an empty one.');
}

interface Reference {
  table: string;
  name: string;
  definition: string;
}

async function dropReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace in ('console'::regnamespace, 'telemetry'::regnamespace)`);
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}

async function loadRows(client: pg.Client, file: string, tables: readonly Table[]): Promise<{ tables: number; rows: number }> {
  let [into, columns]: [Table | undefined, string] = [undefined, ''];
  let [waiting, size, rows, count]: [string[], number, number, number] = [[], 0, 0, 0];
  const flush = async () => {
    if (!into || waiting.length === 0) return;
    await client.query(
      `insert into ${into.name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${into.name}, $1::json)`,
      [`[${waiting.join(',')}]`],
    );
    rows += waiting.length;
    [waiting, size] = [[], 0];
  };
  for await (const line of readBackup(file)) {
    const head = line.startsWith('{"table":') ? TableLine.safeParse(JSON.parse(line)) : undefined;
    if (head?.success) {
      await flush();
      into = tables.find(({ name }) => name === head.data.table);
      if (!into) throw new StartError(`The backup has a table ${head.data.table}, which is not known here.`);
      // Only column names of this database become part of a statement.
      columns = into.columns.filter((column) => head.data.columns.includes(column)).join(', ');
      count++;
      continue;
    }
    waiting.push(line);
    size += line.length;
    if (size > mostAtOnce) await flush();
  }
  await flush();
  return { tables: count, rows };
}

/** Advances the sequences, so that new rows get ids that no loaded row has. */
async function advanceSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.oid::regclass::text as table, quote_ident(a.attname) as column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace in ('console'::regnamespace, 'telemetry'::regnamespace) and c.relkind in ('r', 'p') and not c.relispartition
      and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`);
  for (const { table, column, sequence } of rows)
    await client.query(
      `select setval('${sequence}', greatest((select coalesce(max(${column}), 0) from ${table}), 1), exists (select from ${table}))`,
    );
}
