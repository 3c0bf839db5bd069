import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutgoingError } from './error.ts';
import type { Guard } from './guard.ts';
import { hostOf } from './target.ts';

export interface Address {
  address: string;
  family: number;
}

export type Lookup = (host: string) => Promise<Address[]>;

/** The way the whole machine resolves names, hosts file and all. */
export const lookupOfSystem: Lookup = (host) => systemLookup(host, { all: true, verbatim: true });

/**
 * A name is resolved once, and one address that is not allowed refuses them all: a name with a public and a private
 * side is what an attacker would publish. The connection then goes to these addresses without asking again.
 */
export async function checkedAddresses(url: URL, lookup: Lookup, guard: Guard, isTrusted: boolean): Promise<Address[]> {
  const host = hostOf(url);
  const family = isIP(host);
  const found = family ? [{ address: host, family }] : await resolved(host, lookup);
  for (const { address } of found) guard.check(host, address, isTrusted);
  return found;
}

async function resolved(host: string, lookup: Lookup): Promise<Address[]> {
  const found = await lookup(host).catch((cause: unknown) => {
    throw new OutgoingError('unreachable', `The host ${host} was not found.`, cause);
  });
  if (found.length === 0) throw new OutgoingError('unreachable', `The host ${host} was not found.`);
  return found.map(({ address }) => ({ address, family: isIP(address.split('%')[0] ?? '') }));
}
