const hexPattern = /^(?:0x)?[0-9a-f\s:,-]*$/i;
const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** design 8.1: hex (blanks, `:` and `-` between are allowed) or base64; hex wins where both fit (iot-behaviour 2.7). Null when it is neither. */
export function readBytes(text: string): Uint8Array | null {
  const trimmed = text.trim();
  if (trimmed.startsWith('hex:')) return readHex(trimmed.slice(4));
  if (trimmed.startsWith('base64:')) return readBase64(trimmed.slice(7));
  // An odd number of hex digits is a mistake, not base64.
  return hexPattern.test(trimmed) ? readHex(trimmed) : readBase64(trimmed);
}

function readHex(text: string): Uint8Array | null {
  if (!hexPattern.test(text)) return null;
  const digits = text.replace(/^0x/i, '').replace(/[\s:,-]/g, '');
  if (digits.length % 2 !== 0) return null;
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16));
}

function readBase64(text: string): Uint8Array | null {
  const compact = text.replace(/\s/g, '');
  if (!base64Pattern.test(compact)) return null;
  const signs = compact.replace(/=+$/, '').replace(/-/g, '+').replace(/_/g, '/');
  if (signs.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((signs.length * 3) / 4));
  let [held, bits, place] = [0, 0, 0];
  for (const sign of signs) {
    held = ((held << 6) | alphabet.indexOf(sign)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[place++] = (held >> bits) & 255;
  }
  return bytes;
}

export const toHex = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
