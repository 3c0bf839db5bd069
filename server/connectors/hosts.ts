import { isIP, Socket } from 'node:net';
import { plainAddress, reachOf } from '../platform/outgoing/address.ts';
import { connectionFault } from '../platform/outgoing/connection-fault.ts';
import { type Address, type Lookup, lookupOfSystem } from '../platform/outgoing/resolve.ts';
import { QueryError } from './connector.ts';

/** A database server by its typed name, with the addresses that were checked for it. */
export interface Host {
  readonly name: string;
  /** An unconnected socket; `connect(port)` uses the checked addresses without another lookup. */
  socket(): Socket;
  /** The host limited to one known address, because several servers may share a name. */
  at(address: string | undefined): Host;
}

/** Paths are not allowed, so no local sockets either. */
const hostName = /^[\p{L}\p{N}_.:%-]+$/u;

/** Design 8: databases may have private addresses, but never link-local ones, where clouds publish machine credentials. */
export async function requireHost(typed: string, lookup: Lookup = lookupOfSystem): Promise<Host> {
  const name = typed.replace(/^\[(.+)\]$/, '$1');
  if (!hostName.test(name)) throw new QueryError(`'${typed}' is not the name of a host.`);
  const addresses = await addressesOf(name, lookup);
  if (addresses.some(({ address }) => isLinkLocal(address))) {
    throw new QueryError('Link-local addresses (169.254.0.0/16, fe80::/10) cannot be data sources.');
  }
  return hostOf(name, addresses);
}

const hostOf = (name: string, addresses: Address[]): Host => ({
  name,
  socket: () => pinned(name, addresses),
  at: (met) => {
    if (addresses.length === 1 || !met) return hostOf(name, addresses);
    const same = addresses.filter(({ address }) => plainAddress(address) === plainAddress(met));
    if (same.length === 0) throw new QueryError(`The host ${name} is no longer at ${met}.`);
    return hostOf(name, same);
  },
});

/** Replaces connection errors with our own message; errors from the server (a wrong password) stay as they are. */
export function unreached(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const fault = connectionFault(error, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`);
  return fault ? new QueryError(fault.message, {}, error) : error;
}

async function addressesOf(name: string, lookup: Lookup): Promise<Address[]> {
  const family = isIP(name);
  if (family) return [{ address: name, family }];
  const found = await lookup(name).catch((cause: unknown) => {
    throw new QueryError(`The host ${name} was not found.`, {}, cause);
  });
  if (found.length === 0) throw new QueryError(`The host ${name} was not found.`);
  return found;
}

const isLinkLocal = (address: string) => reachOf(address) === 'metadata' || /^fe[89ab][0-9a-f]:/i.test(plainAddress(address));

function pinned(name: string, addresses: Address[]): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  return Object.assign(socket, {
    connect: (port: number) =>
      connect({
        port,
        host: name,
        autoSelectFamily: true,
        lookup: (_name, { all }, answer) =>
          all ? answer(null, addresses) : answer(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4),
      }),
  });
}
