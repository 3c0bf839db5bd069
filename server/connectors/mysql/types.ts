import { decimalJson } from '@telltale/domain/results/numbers.ts';
import { isoDateTime, isoTime } from '@telltale/domain/results/times.ts';
import type { FieldPacket } from 'mysql2';
import { checkedJson, jsonString } from '../../wire/values.ts';
import type { SinkColumn } from '../sink.ts';

/** The driver's column definition says more than its type does. */
export interface Field extends Pick<FieldPacket, 'name'> {
  columnType: number;
  columnLength: number;
  characterSet: number;
  decimals: number;
  /** MariaDB names here what travels as text: `json`. */
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
/** `0000-00-00` is how these servers write that there is no date, and with a month or day of nought it is none either. */
const unlessZero = (json: (text: string) => string) => (bytes: Buffer) => {
  const value = latin(bytes);
  return /^\d{4}-(?:00|\d\d-00)/.test(value) ? 'null' : json(value);
};
const date: Meaning = { type: 'date', json: unlessZero(jsonString) };
const dateTime: Meaning = { type: 'datetime', json: unlessZero((value) => jsonString(isoDateTime(value))) };
/** The session's zone is UTC, so a TIMESTAMP is printed in it; a DATETIME has no zone. */
const timestamp: Meaning = { type: 'datetime', json: unlessZero((value) => jsonString(isoDateTime(`${value}Z`))) };
const time: Meaning = { type: 'string', json: (bytes) => jsonString(isoTime(latin(bytes))) };
const bit: Meaning = { type: 'integer', json: (bytes) => decimalJson(String(BigInt(`0x${bytes.toString('hex') || '0'}`))) };
const oneBit: Meaning = { type: 'boolean', json: (bytes) => (bytes[0] === 0 ? 'false' : 'true') };
/** MariaDB keeps JSON as text that a constraint checks, and a constraint can be dropped. */
const json: Meaning = { type: null, json: (bytes) => checkedJson(utf8(bytes)) };

const [binaryCharacters, bitType] = [63, 16];

/** By the protocol's number of the type; texts and what is not listed go by their character set. */
const meanings = new Map<number, Meaning>([
  ...[1, 2, 3, 8, 9, 13].map((number) => [number, integer] as const),
  ...[4, 5].map((number) => [number, float] as const),
  ...[0, 246].map((number) => [number, decimal] as const),
  ...[10, 14].map((number) => [number, date] as const),
  [7, timestamp],
  [12, dateTime],
  [11, time],
  [245, json],
  [242, binary],
  [255, binary],
]);

function meaningOf({ columnType, columnLength, characterSet, decimals, extendedFormat }: Field): Meaning {
  if (extendedFormat === 'json') return json;
  if (columnType === bitType) return columnLength === 1 ? oneBit : bit;
  const known = meanings.get(columnType);
  // The sum of integers is a decimal without decimals.
  if (known === decimal && decimals === 0) return integer;
  return known ?? (characterSet === binaryCharacters ? binary : text);
}

/** A column of a result; its values come as the bytes the server sent. */
export function columnOf(field: Field): SinkColumn {
  const { type, json: encode } = meaningOf(field);
  return { name: field.name, type: field.columnType === 6 ? null : type, encode: (bytes) => encode(bytes as Buffer) };
}
