import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import type { PayloadEncoding } from '@telltale/domain/channels/simulation-contract.ts';
import { toHex } from '@telltale/domain/decoders/bytes.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';

interface UplinkExample {
  payload: string;
  encoding: PayloadEncoding;
  fport: number;
}

const mostAttributes = 5;
const usualPort = 1;

/** A payload to begin with: the newest bytes of a device that sends bytes, otherwise its last values as JSON. */
export function uplinkExample(isLorawan: boolean, values: readonly LastValue[], records: readonly UplinkRecord[]): UplinkExample {
  const newest = records.find(({ status }) => status === 'stored' || status === 'partial');
  if (newest?.encoding === 'raw' && newest.raw !== '' && !newest.raw_truncated)
    return { payload: hexOf(newest.raw), encoding: 'hex', fport: newest.fport ?? usualPort };
  if (isLorawan && !newest) return { payload: '00d75a', encoding: 'hex', fport: usualPort };
  const own = values.filter(({ attribute }) => !/^(lora|sys)\./.test(attribute)).slice(0, mostAttributes);
  const object = own.length > 0 ? Object.fromEntries(own.map((one) => [one.attribute, sentValue(one)])) : { temperature: 21.5 };
  return { payload: JSON.stringify(object, null, 2), encoding: 'json', fport: usualPort };
}

const hexOf = (base64: string): string => toHex(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));

function sentValue({ kind, value, value_text }: LastValue): unknown {
  if (kind === 'b') return value === 1;
  if (kind !== 'j' || value_text === null) return value ?? value_text;
  try {
    return JSON.parse(value_text);
  } catch {
    return value_text;
  }
}
