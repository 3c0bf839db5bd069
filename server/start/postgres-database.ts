import pg from 'pg';
import { hasCode } from './atomic-file.ts';

const name = 'telltale';

/** Creates the database and its owner, and lets only them connect; every step may be repeated. */
export async function prepareDatabase(port: number, passwords: { superuserPassword: string; ownerPassword: string }) {
  const address = (user: string, password: string, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const superuserUrl = address('postgres', passwords.superuserPassword, name);
  const url = address(name, passwords.ownerPassword, name);
  try {
    await withClient(superuserUrl, closeToPublic);
  } catch (error) {
    if (!hasCode(error, '3D000')) throw error; // the database does not exist: a first start, or one that was killed before this point
    await withClient(address('postgres', passwords.superuserPassword, 'postgres'), (client) => create(client, passwords.ownerPassword));
    await withClient(superuserUrl, closeToPublic);
  }
  return { url, superuserUrl };
}

async function create(client: pg.Client, ownerPassword: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  if (!rowCount) await client.query(`create role ${name} login password ${client.escapeLiteral(ownerPassword)}`);
  await client.query(`create database ${name} owner ${name}`);
}

/** Later roles (the reader) get only explicit grants and nothing through PUBLIC. */
async function closeToPublic(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ open: boolean }>(`
    select bool_or(has_database_privilege('public', oid, 'connect, temporary')) or has_schema_privilege('public', 'public', 'usage') as open
      from pg_database where datname in ('${name}', 'postgres', 'template1')`);
  if (!rows[0]?.open) return; // a revoke writes to the disk even when there is nothing to revoke
  await client.query(`
    revoke connect, temporary on database ${name}, postgres, template1 from public;
    revoke all on schema public from public;
  `);
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // a lost connection fails the statement under way as well
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
