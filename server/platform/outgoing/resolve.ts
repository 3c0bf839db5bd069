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

/** Resolves names as the whole machine does, with its hosts file. */
export const lookupOfSystem: Lookup = (host) => systemLookup(host, { all: true, verbatim: true });

/**
 * Resolves a name once and refuses it when one of its addresses is not allowed: an attacker would publish a name with a public and a
 * private address. The connection then goes to these addresses without another look-up.
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
