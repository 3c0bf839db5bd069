import { isIP } from 'node:net';
import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';

const isHere = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && /^(127\.|0\.)/.test(host)) || host === '';

/** design 9: a saved source may not address the embedded cluster, where users, keys and secrets are. */
export function requireForeignDatabase(ctx: Pick<Ctx, 'config' | 'databaseUrl'>, options: Record<string, unknown>): void {
  if (ctx.config.databaseUrl) return;
  const own = new URL(ctx.databaseUrl);
  const host = String(options.host ?? '127.0.0.1').toLowerCase();
  if (Number(options.port) === Number(own.port) && isHere(host)) {
    throw invalid('This is the console’s own database. Use the data source IoT data to query device data.');
  }
}
