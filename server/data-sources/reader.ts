import type { Ctx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { unavailable } from '../platform/errors.ts';
import { accessVersion, findReader, signAccess } from './reader.store.ts';

/** Reader addresses by database; they change only when the installation is prepared again, before this process starts. */
const known = new Map<string, string>();

/** The login for statements on IoT data: our own role, or the one that an operator configured (design 9). */
export async function readerUrl(ctx: Ctx): Promise<string> {
  if (ctx.config.readerUrl) return ctx.config.readerUrl;
  const cached = known.get(ctx.databaseUrl);
  if (cached) return cached;
  const reader = await findReader(ctx.db);
  if (!reader) throw unavailable('IoT data has no reader role yet. Set TELLTALE_READER_URL or let the console create roles.');
  const url = new URL(ctx.databaseUrl);
  url.username = encodeURIComponent(reader.role_name);
  url.password = encodeURIComponent(ctx.secrets.open(reader.password_sealed));
  // The address of a local socket cannot hold them, and parameters in the query string, which name the owner, would win.
  if (!url.username || url.searchParams.has('user') || url.searchParams.has('password')) {
    url.searchParams.set('user', reader.role_name);
    url.searchParams.set('password', ctx.secrets.open(reader.password_sealed));
  }
  known.set(ctx.databaseUrl, url.toString());
  return url.toString();
}

/** The same sign-in at the replica, whose roles are those of the primary. */
export function atReplica(readerUrl: string, replicaUrl: string): string {
  const [reader, url] = [new URL(readerUrl), new URL(replicaUrl)];
  url.username = reader.username;
  url.password = reader.password;
  for (const name of ['user', 'password']) {
    const given = reader.searchParams.get(name);
    if (given === null) url.searchParams.delete(name);
    else url.searchParams.set(name, given);
  }
  return url.toString();
}

/** Whether the replica knows what this pass was made from: one that is behind would show nothing at all. */
export async function isKnownAtReplica(replica: Db, pass: string): Promise<boolean> {
  const version = await accessVersion(replica);
  return version !== undefined && pass.startsWith(`${version}:`);
}

/**
 * The access of a reader session (design 8.1), signed by the database itself so that no query text can forge another one. It is valid until
 * groups, members or their channels change.
 */
export async function readerPass(ctx: Ctx, channelPks: readonly number[] | null): Promise<string> {
  const channels = channelPks === null ? '*' : channelPks.toSorted((a, b) => a - b).join('.');
  const pass = await signAccess(ctx.db, channels);
  if (pass === undefined) throw new Error('The access of readers is not prepared.');
  return pass;
}
