import type pg from 'pg';

/**
 * design 9: functions that a reader could use against others, although it can read nothing else. They are revoked from everybody and
 * granted to the application, which needs some of them (the job queue notifies).
 */
const dangerous = [
  'pg_stat_get_activity(integer)',
  // Readers share a role, so the server does not hide their queries from each other.
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

export async function hasRole(client: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  return rowCount !== 0;
}

/** Creates the role, or gives the existing one this password and these attributes. */
export async function writeRole(client: pg.Client, role: string, password: string, database: string): Promise<void> {
  const attributes = `login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls connection limit 100 password ${literal(password)}`;
  await client.query(`${(await hasRole(client, role)) ? 'alter' : 'create'} role ${quoted(role)} with ${attributes}`);
  await client.query(`grant connect on database ${quoted(database)} to ${quoted(role)}`);
}

export async function grant(client: pg.Client, role: string): Promise<void> {
  await client.query(`grant usage on schema app to ${quoted(role)}; grant select on all tables in schema app to ${quoted(role)}`);
  await client.query(`alter default privileges in schema app grant select on tables to ${quoted(role)}`).catch(() => {});
  await client.query(
    `alter role ${quoted(role)} set search_path = app, pg_catalog; alter role ${quoted(role)} set default_transaction_read_only = on`,
  );
}

/** Removes these rights, which only a superuser can do; nothing depends on it when there is none. */
export async function fence(client: pg.Client, role: string, { name: database, owner }: { name: string; owner: string }): Promise<void> {
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
