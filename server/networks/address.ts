import { isIP } from 'node:net';
import { OutgoingError } from '../platform/outgoing/error.ts';
import { createGuard } from '../platform/outgoing/guard.ts';
import { type Address, checkedAddresses, type Lookup, lookupOfSystem } from '../platform/outgoing/resolve.ts';

export interface BrokerAddress {
  host: string;
  port: number;
  tls: boolean;
}

const hostName = /^[\p{L}\p{N}_.:%-]+$/u;
const schemes: Record<string, boolean> = { mqtt: false, tcp: false, mqtts: true, ssl: true, tls: true };

/** `host`, `host:port` or `mqtt(s)://host:port`; a scheme decides about TLS. Undefined when the text is no such address. */
export function readBrokerAddress(text: string, tls: boolean): BrokerAddress | undefined {
  const [, scheme, rest = ''] = /^(?:([a-z]+):\/\/)?([^/\s@]+)\/?$/i.exec(text.trim()) ?? [];
  if (scheme !== undefined && !Object.hasOwn(schemes, scheme.toLowerCase())) return undefined;
  const isTls = scheme === undefined ? tls : (schemes[scheme.toLowerCase()] ?? tls);
  const bracketed = /^\[([0-9a-f:.%]+)\](?::(\d{1,5}))?$/i.exec(rest);
  const plain = isIP(rest) === 6 ? [rest, rest, undefined] : /^([^:]+)(?::(\d{1,5}))?$/.exec(rest);
  const [, host = '', digits] = bracketed ?? plain ?? [];
  const port = digits === undefined ? (isTls ? 8883 : 1883) : Number(digits);
  return hostName.test(host) && port >= 1 && port <= 65_535 ? { host, port, tls: isTls } : undefined;
}

export const addressMessage = 'Address must be a host, host:port, mqtt://host:port or mqtts://host:port.';

const guard = createGuard([]);

/** design 8.1: like databases, networks may have private addresses, but never a link-local one, where clouds serve the machine's keys. */
export async function requireAddresses({ host }: BrokerAddress, lookup: Lookup = lookupOfSystem): Promise<Address[]> {
  const url = new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}/`);
  try {
    return await checkedAddresses(url, lookup, guard, true);
  } catch (error) {
    if (error instanceof OutgoingError && error.fault === 'refused')
      throw new OutgoingError('refused', 'Link-local addresses (169.254.0.0/16, fe80::/10) cannot be networks.');
    throw error;
  }
}
