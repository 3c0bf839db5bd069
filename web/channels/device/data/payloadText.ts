import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes as text where they are text, as hexadecimal pairs where they are not. */
export function payloadText({ raw, raw_truncated }: Pick<UplinkRecord, 'raw' | 'raw_truncated'>): string {
  const bytes = Uint8Array.from(atob(raw), (letter) => letter.charCodeAt(0));
  // The cut may split a character of up to four bytes.
  for (let spared = 0; spared < (raw_truncated ? 4 : 1); spared++) {
    try {
      return decoder.decode(bytes.subarray(0, bytes.length - spared));
    } catch {
      // The bytes are not UTF-8.
    }
  }
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
