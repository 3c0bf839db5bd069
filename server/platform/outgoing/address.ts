import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The kind of network behind an address: the internet, a private network, or the service that hands a cloud machine its keys. `metadata` is
 * the one that even a saved source may not address (design 8).
 */
export type Reach = 'public' | 'private' | 'metadata';

const list = (...ranges: string[]): BlockList => {
  const blocks = new BlockList();
  for (const range of ranges) addRange(blocks, range);
  return blocks;
};

/** False when the text is neither an address nor a range of them. */
export function addRange(blocks: BlockList, range: string): boolean {
  const [, address = '', prefix] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
  const bits = family === 'ipv4' ? 32 : 128;
  if (!family || Number(prefix ?? bits) > bits) return false;
  blocks.addSubnet(address, Number(prefix ?? bits), family);
  return true;
}

/** The link-local ranges, where clouds answer, and what AWS (fd00:ec2::254), Azure and Alibaba have elsewhere. */
const metadata = list('169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254', '168.63.129.16/32', '100.100.100.200/32');

/** IANA's special-purpose registries: none of these addresses is on the public internet. */
const special = list(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '3fff::/20'],
);
/** The only IPv6 range that is assigned to the public internet. */
const globalUnicast = list('2000::/3');

export function reachOf(address: string): Reach {
  const plain = plainAddress(address);
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  if (family === 'ipv6' && !isIPv6(plain)) return 'private';
  if (metadata.check(plain, family)) return 'metadata';
  if (special.check(plain, family)) return 'private';
  return family === 'ipv4' || globalUnicast.check(plain, family) ? 'public' : 'private';
}

/** The IPv4 address that an IPv6 address wraps: mapped, compatible, translated (NAT64), 6to4. Otherwise the address itself. */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const at = (from: number) => [groups[from] ?? 0, groups[from + 1] ?? 0].flatMap((group) => [group >> 8, group & 255]).join('.');
  const starts = (...with_: number[]) => with_.every((group, i) => groups[i] === group);
  if (starts(0x2002)) return at(1);
  if (starts(0x64, 0xff9b, 0, 0, 0, 0)) return at(6);
  if (starts(0, 0, 0, 0, 0xffff, 0) || starts(0, 0, 0, 0, 0, 0xffff)) return at(6);
  if (starts(0, 0, 0, 0, 0, 0) && (groups[6] ?? 0) > 0) return at(6);
  return bare;
}

/** The eight groups of a valid address. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return read(head);
  const [front, back] = [read(head), read(tail)];
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
