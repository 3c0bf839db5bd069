import { decimalJson } from '@telltale/domain/results/numbers.ts';
import { isoDateTime, isoTime } from '@telltale/domain/results/times.ts';
import type { FieldPacket } from 'mysql2';
import { checkedJson, jsonString } from '../../wire/values.ts';
import { instantOf } from '../instants.ts';
import type { SinkColumn } from '../sink.ts';

/** The driver's column definition, with fields that its type lacks. */
export interface Field extends Pick<FieldPacket, 'name'> {
  columnType: number;
  columnLength: number;
  characterSet: number;
  decimals: number;
  /** MariaDB gives the type of texts here, such as `json`. */
  extendedFormat?: string;
}

type Meaning = Pick<SinkColumn, 'type'> & { json: (bytes: Buffer) => string };

const latin = (bytes: Buffer) => bytes.toString('latin1');
const utf8 = (bytes: Buffer) => bytes.toString('utf8');

const integer: Meaning = { type: 'integer', json: (bytes) => decimalJson(latin(bytes)) };
const decimal: Meaning = { ...integer, type: 'float' };
const float: Meaning = { type: 'float', json: (bytes) => String(Number(latin(bytes))) };
const text: Meaning = { type: 'string', json: (bytes) => jsonString(utf8(bytes)) };
const binary: Meaning = { type: 'string', json: (bytes) => `"${bytes.toString('hex')}"` };
/** These servers write a missing date as `0000-00-00`; dates with month 0 or day 0 become null as well. */
const unlessZero = (json: (text: string) => string) => (bytes: Buffer) => {
  const value = latin(bytes);
  return /^\d{4}-(?:00|\d\d-00)/.test(value) ? 'null' : json(value);
};
const date: Meaning = { type: 'date', json: unlessZero(jsonString) };
const dateTime: Meaning = { type: 'datetime', json: unlessZero((value) => jsonString(isoDateTime(value))) };
/** A TIMESTAMP is printed in the session's zone; a DATETIME has no zone. */
const timestampIn = (zone: string): Meaning => ({
  type: 'datetime',
  json: unlessZero((value) => jsonString(zone === 'UTC' ? isoDateTime(`${value}Z`) : instantOf(value, zone))),
});
const time: Meaning = { type: 'string', json: (bytes) => jsonString(isoTime(latin(bytes))) };
const bit: Meaning = { type: 'integer', json: (bytes) => decimalJson(String(BigInt(`0x${bytes.toString('hex') || '0'}`))) };
const oneBit: Meaning = { type: 'boolean', json: (bytes) => (bytes[0] === 0 ? 'false' : 'true') };
/** MariaDB stores JSON as text with a constraint, which can be dropped. */
const json: Meaning = { type: null, json: (bytes) => checkedJson(utf8(bytes)) };

const [binaryCharacters, bitType] = [63, 16];

/** By the protocol's type number; texts and other types depend on their character set. */
const meanings = new Map<number, Meaning>([
  ...[1, 2, 3, 8, 9, 13].map((number) => [number, integer] as const),
  ...[4, 5].map((number) => [number, float] as const),
  ...[0, 246].map((number) => [number, decimal] as const),
  ...[10, 14].map((number) => [number, date] as const),
  [12, dateTime],
  [11, time],
  [245, json],
  [242, binary],
  [255, binary],
]);

const timestampType = 7;

function meaningOf({ columnType, columnLength, characterSet, decimals, extendedFormat }: Field, zone: string): Meaning {
  if (columnType === timestampType) return timestampIn(zone);
  if (extendedFormat === 'json') return json;
  if (columnType === bitType) return columnLength === 1 ? oneBit : bit;
  const known = meanings.get(columnType);
  // The sum of integers is a decimal with no fraction digits.
  if (known === decimal && decimals === 0) return integer;
  return known ?? (characterSet === binaryCharacters ? binary : text);
}

/** Describes a result column, whose values are the bytes from the server. */
export function columnOf(field: Field, zone = 'UTC'): SinkColumn {
  const { type, json: encode } = meaningOf(field, zone);
  return { name: field.name, type: field.columnType === 6 ? null : type, encode: (bytes) => encode(bytes as Buffer) };
}
