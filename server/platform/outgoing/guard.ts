import { BlockList, isIPv4 } from 'node:net';
import { addRange, plainAddress, reachOf } from './address.ts';
import { OutgoingError, privateAddressMessage } from './error.ts';

export interface Guard {
  /** Throws unless a connection from this name to this address is allowed. */
  check(host: string, address: string, isTrusted: boolean): void;
}

/**
 * Design 8: addresses that people typed stay out of private networks unless the operator lists them (`*`, ranges, hosts); saved databases
 * may be in private networks. A metadata service is only reachable with `*`, and never by a trusted request.
 */
export function createGuard(allowPrivate: readonly string[]): Guard {
  const isOpen = allowPrivate.includes('*');
  const ranges = new BlockList();
  const hosts = new Set<string>();
  for (const entry of allowPrivate) {
    if (entry === '*' || addRange(ranges, entry.replace(/^\[|\]$/g, ''))) continue;
    if (!/^[\p{L}\p{N}]([\p{L}\p{N}_.-]*[\p{L}\p{N}.])?$/u.test(entry))
      throw new Error(`'${entry}' is neither a host nor a range of addresses.`);
    hosts.add(plainHost(new URL(`http://${entry}/`).hostname));
  }
  const isListed = (host: string, address: string) => {
    const plain = plainAddress(address);
    return isOpen || hosts.has(plainHost(host)) || ranges.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
  return {
    check(host, address, isTrusted) {
      const reach = reachOf(address);
      const isAllowed = reach === 'public' || (reach === 'metadata' ? isOpen && !isTrusted : isTrusted || isListed(host, address));
      if (!isAllowed) throw new OutgoingError('refused', privateAddressMessage);
    },
  };
}

/** Normalises a host: `example.com.` is the same host. */
const plainHost = (host: string) => host.toLowerCase().replace(/\.$/, '');
