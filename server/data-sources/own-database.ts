import { isIP, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { plainAddress } from '../platform/outgoing/address.ts';

/** Normalises a host as the system does: `127.1`, `0x7f.1` and `2130706433` are addresses too, `localhost.` is a name. */
function plainHost(typed: string): string {
  const host = typed.trim().replace(/^\[(.+)\]$/, '$1');
  if (isIPv6(host)) return plainAddress(new URL(`http://[${host.split('%', 1)[0]}]/`).hostname.slice(1, -1));
  const url = `http://${host.replace(/\.$/, '')}/`;
  return URL.canParse(url) ? new URL(url).hostname : host;
}

const isHere = (host: string) =>
  ['', 'localhost', hostname().toLowerCase(), '::', '::1'].includes(host) ||
  host.endsWith('.localhost') ||
  (isIP(host) === 4 && /^(127|0)\./.test(host));

/**
 * design 9: a saved source may not address the embedded cluster, which contains users, keys and secrets. A name that resolves to it through
 * DNS only gets as far as the password, which nobody knows.
 */
export function requireForeignDatabase(ctx: Pick<Ctx, 'config' | 'databaseUrl'>, options: Record<string, unknown>): void {
  if (ctx.config.databaseUrl) return;
  const own = new URL(ctx.databaseUrl);
  if (Number(options.port) === Number(own.port) && isHere(plainHost(String(options.host ?? '127.0.0.1').toLowerCase()))) {
    throw invalid('This is the console’s own database. Use the data source IoT data to query device data.');
  }
}
