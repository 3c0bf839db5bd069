import { sql } from 'kysely';
import pg from 'pg';
import type { Ctx } from '../platform/context.ts';
import { randomKey } from '../platform/secrets.ts';

/**
 * design 9: what a reader could use against others even though it can read nothing else. Each is taken from everybody
 * and given back to the application, which needs some of them (graphile-worker notifies).
 */
const dangerous = [
  'pg_stat_get_activity(integer)',
  // Readers share a role, so what one of them asks is not hidden from the others by the server itself.
  ...['activity', 'client_addr', 'client_port'].map((what) => `pg_stat_get_backend_${what}(integer)`),
  'pg_cancel_backend(integer)',
  'pg_terminate_backend(integer, bigint)',
  'pg_notify(text, text)',
  'pg_export_snapshot()',
  'set_config(text, text, boolean)',
  'lo_create(oid)',
  'lo_creat(integer)',
  'lo_open(oid, integer)',
  'lo_from_bytea(oid, bytea)',
  'lo_put(oid, bigint, bytea)',
  'lo_unlink(oid)',
  'pg_sleep_until(timestamp with time zone)',
  ...['pg_logical_emit_message(boolean, text, text, boolean)', 'pg_logical_emit_message(boolean, text, bytea, boolean)'],
  ...['', '_shared'].flatMap((shared) =>
    ['pg_advisory_lock', 'pg_advisory_xact_lock', 'pg_try_advisory_lock', 'pg_try_advisory_xact_lock'].flatMap((name) =>
      ['bigint', 'integer, integer'].map((args) => `${name}${shared}(${args})`),
    ),
  ),
];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * The login role that statements on IoT data run as: it may read schema `app` and nothing else. Made once, by whoever
 * may make roles: the embedded superuser, or an external owner with that right. Answers whether there is one now.
 */
export async function prepareReader(ctx: Ctx, superuserUrl: string | undefined): Promise<boolean> {
  if (ctx.config.readerUrl) return true;
  const { rows } = await sql<{ oid: number; name: string; owner: string }>`
    select oid::int as oid, current_database() as name, current_user as owner from pg_database where datname = current_database()`.execute(
    ctx.db,
  );
  const database = rows[0];
  if (!database) return false;
  const role = `telltale_reader_${database.oid}`;
  const client = new pg.Client({ connectionString: onDatabase(superuserUrl ?? ctx.databaseUrl, database.name) });
  // A line that is lost between two statements is told by the next of them.
  client.on('error', () => {});
  await client.connect();
  try {
    if (!(await hasReader(ctx, client, role))) await createRole(ctx, client, role, database.name);
    await grant(client, role);
    if (superuserUrl) await fence(client, role, database);
    return true;
  } catch (error) {
    ctx.log.warn({ err: error instanceof Error ? error.message : String(error) }, 'the reader role of IoT data could not be prepared');
    return false;
  } finally {
    await client.end();
  }
}

function onDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${encodeURIComponent(name)}`;
  return address.toString();
}

async function hasReader(ctx: Ctx, client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await sql<{ password_sealed: Buffer }>`select password_sealed from reader where role_name = ${role}`.execute(ctx.db);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (!rows[0] || rowCount === 0) return false;
  try {
    ctx.secrets.open(rows[0].password_sealed);
    return true;
  } catch {
    return false;
  }
}

async function createRole(ctx: Ctx, client: pg.Client, role: string, database: string): Promise<void> {
  const password = randomKey();
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const attributes = `login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls connection limit 100 password ${literal(password)}`;
  await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${quoted(role)} with ${attributes}`);
  await client.query(`grant connect on database ${quoted(database)} to ${quoted(role)}`);
  await sql`
    insert into reader (role_name, password_sealed) values (${role}, ${ctx.secrets.seal(password)})
    on conflict (id) do update set role_name = excluded.role_name, password_sealed = excluded.password_sealed`.execute(ctx.db);
}

async function grant(client: pg.Client, role: string): Promise<void> {
  await client.query(`grant usage on schema app to ${quoted(role)}; grant select on all tables in schema app to ${quoted(role)}`);
  await client.query(`alter default privileges in schema app grant select on tables to ${quoted(role)}`).catch(() => {});
  await client.query(
    `alter role ${quoted(role)} set search_path = app, pg_catalog; alter role ${quoted(role)} set default_transaction_read_only = on`,
  );
}

/** Only a superuser can take these away; without one nothing depends on them. */
async function fence(client: pg.Client, role: string, { name: database, owner }: { name: string; owner: string }): Promise<void> {
  await client.query(`revoke temporary on database ${quoted(database)} from public`);
  await client.query(`alter role ${quoted(role)} set temp_file_limit = '2GB'; alter role ${quoted(role)} set work_mem = '32MB'`);
  await client.query(`alter default privileges for role ${quoted(owner)} in schema app grant select on tables to ${quoted(role)}`);
  for (const name of dangerous) {
    const known = await client.query<{ fn: string | null }>('select to_regprocedure($1)::text as fn', [`pg_catalog.${name}`]);
    if (!known.rows[0]?.fn) continue;
    await client.query(
      `revoke execute on function pg_catalog.${name} from public; grant execute on function pg_catalog.${name} to ${quoted(owner)}`,
    );
  }
}
