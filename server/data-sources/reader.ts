import { sql } from 'kysely';
import type { Ctx } from '../platform/context.ts';
import { unavailable } from '../platform/errors.ts';

/** It changes only when the installation is prepared again, which is before this process started. */
const known = new Map<string, string>();

/** How statements on IoT data sign in: a role of its own, or the one an operator named (design 9). */
export async function readerUrl(ctx: Ctx): Promise<string> {
  if (ctx.config.readerUrl) return ctx.config.readerUrl;
  const cached = known.get(ctx.databaseUrl);
  if (cached) return cached;
  const { rows } = await sql<{ role_name: string; password_sealed: Buffer }>`select role_name, password_sealed from reader`.execute(ctx.db);
  const reader = rows[0];
  if (!reader) throw unavailable('IoT data has no reader role yet. Set TELLTALE_READER_URL or let the console create roles.');
  const url = new URL(ctx.databaseUrl);
  url.username = encodeURIComponent(reader.role_name);
  url.password = encodeURIComponent(ctx.secrets.open(reader.password_sealed));
  // A local socket has no place for them, and what stands behind the question mark would win: it is the owner's.
  if (!url.username || url.searchParams.has('user') || url.searchParams.has('password')) {
    url.searchParams.set('user', reader.role_name);
    url.searchParams.set('password', ctx.secrets.open(reader.password_sealed));
  }
  known.set(ctx.databaseUrl, url.toString());
  return url.toString();
}
