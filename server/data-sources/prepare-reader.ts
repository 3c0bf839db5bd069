import pg from 'pg';
import type { Ctx } from '../platform/context.ts';
import { randomKey } from '../platform/secrets.ts';
import { findDatabase, findReader, storeReader } from './reader.store.ts';
import { fence, grant, hasRole, writeRole } from './reader-role.store.ts';

/**
 * Creates the login role for statements on IoT data: it may read schema `app` and nothing else. It is created once, by a user who may
 * create roles: the embedded superuser, or an external owner with that right. Returns whether the role exists.
 */
export async function prepareReader(ctx: Ctx, superuserUrl: string | undefined): Promise<boolean> {
  if (ctx.config.readerUrl) return true;
  const database = await findDatabase(ctx.db);
  if (!database) return false;
  const role = `telltale_reader_${database.oid}`;
  const client = new pg.Client({ connectionString: onDatabase(superuserUrl ?? ctx.databaseUrl, database.name) });
  // The next statement reports a connection that was lost between two statements.
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
  const reader = await findReader(ctx.db);
  if (reader?.role_name !== role || !(await hasRole(client, role))) return false;
  try {
    ctx.secrets.open(reader.password_sealed);
    return true;
  } catch {
    return false;
  }
}

async function createRole(ctx: Ctx, client: pg.Client, role: string, database: string): Promise<void> {
  const password = randomKey();
  await writeRole(client, role, password, database);
  await storeReader(ctx.db, { role_name: role, password_sealed: ctx.secrets.seal(password) });
}
