import { OutgoingError } from './error.ts';

/**
 * Ports of protocols other than HTTP that a crafted request could misuse (the Fetch standard's list, without obsolete protocols). Saved
 * databases may use any port.
 */
const otherProtocols = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080, 11_211,
]);

/** The parser normalises decimal, octal, hex and short hosts, full-width letters and back-slashes; the checks apply to its result. */
export function parseTarget(text: string, { allowHttp, isTrusted }: { allowHttp: boolean; isTrusted: boolean }): URL {
  const url = URL.parse(text);
  if (!url) throw new OutgoingError('refused', `'${shortened(text)}' is not an address.`);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new OutgoingError('refused', `Only ${allowHttp ? 'http and https' : 'https'} addresses are allowed.`);
  }
  if (url.username || url.password) throw new OutgoingError('refused', 'Leave the user name and password out of the address.');
  const port = Number(url.port || '1024');
  if (port === 0 || (!isTrusted && otherProtocols.has(port))) throw new OutgoingError('refused', `Port ${port} can't be used.`);
  url.hash = '';
  return url;
}

/** The name of the other side in error texts. */
export const sideOf = (url: URL): string => url.host;

/** The host for a socket: without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
