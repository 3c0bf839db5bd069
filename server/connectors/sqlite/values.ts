import { isoDateTime } from '@telltale/domain/results/times.ts';
import { hex } from '../../wire/values.ts';

export type Value = null | number | bigint | string | Uint8Array;

const plain = (value: Value): unknown => (value instanceof Uint8Array ? hex(value) : value);
const boolean = (value: Value): unknown => (value === 1n ? true : value === 0n ? false : plain(value));
const dateTime = (value: Value): unknown => (typeof value === 'string' ? isoDateTime(value) : plain(value));

/** SQLite has no booleans and no times; the declared type of the column determines how its values are read. */
export function readerOf(declared: string | null): (value: Value) => unknown {
  if (/^bool/i.test(declared ?? '')) return boolean;
  return /^(datetime|timestamp)/i.test(declared ?? '') ? dateTime : plain;
}
