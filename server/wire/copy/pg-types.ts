import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { intervalText } from '@telltale/domain/results/intervals.ts';
import { decimalJson } from '@telltale/domain/results/numbers.ts';
import { isoDateTime, isoTime } from '@telltale/domain/results/times.ts';
import { exactJson } from '../exact-json.ts';
import { jsonString } from '../values.ts';
import { writeDateTime } from './date-time.ts';
import { type FieldWriter, writeBoolean, writeDecimal, writeFloat, writeJson, writeText } from './fields.ts';
import { arrayJson } from './pg-array.ts';
import { rangeText } from './pg-range.ts';

export interface PgType {
  /** The type of the result's column (server-behaviour 19; text and its like are `string`, against W27). */
  type: ColumnType;
  /** A value's text as JSON. */
  json: (text: string) => string;
  /** The same from COPY bytes, where speed matters. */
  write?: FieldWriter;
}

const text: PgType = { type: 'string', json: jsonString, write: writeText };
const integer: PgType = { type: 'integer', json: decimalJson, write: writeDecimal };
const float: PgType = { type: 'float', json: decimalJson, write: writeFloat };
const numeric: PgType = { type: 'float', json: decimalJson, write: writeDecimal };
const boolean: PgType = { type: 'boolean', json: (t) => (t === 't' ? 'true' : 'false'), write: writeBoolean };
const dateTime: PgType = { type: 'datetime', json: (t) => jsonString(isoDateTime(t)), write: writeDateTime };
const date: PgType = { ...text, type: 'date' };
const time: PgType = { type: 'string', json: (t) => jsonString(isoTime(t)) };
const interval: PgType = { type: 'string', json: (t) => jsonString(intervalText(t)) };
const binary: PgType = { type: 'string', json: (t) => jsonString(t.replace(/^\\x/, '')) };
const json: PgType = { type: null, json: (t) => exactJson(t.trim()), write: writeJson };
const range: PgType = { type: 'string', json: (t) => jsonString(rangeText(t)) };
const arrayOf = (item: PgType): PgType => ({ type: item === text ? 'string' : null, json: (t) => arrayJson(t, item.json) });

/** Types with their oids: the item and its array. */
const families: [PgType, Record<number, number>][] = [
  [boolean, { 16: 1000 }],
  [integer, { 20: 1016, 21: 1005, 23: 1007, 26: 1028 }],
  [float, { 700: 1021, 701: 1022 }],
  [numeric, { 1700: 1231 }],
  [text, { 18: 1002, 19: 1003, 25: 1009, 1042: 1014, 1043: 1015, 2950: 2951, 869: 1041, 650: 651 }],
  [dateTime, { 1114: 1115, 1184: 1185 }],
  [date, { 1082: 1182 }],
  [time, { 1083: 1183 }],
  [interval, { 1186: 1187 }],
  [binary, { 17: 1001 }],
  [json, { 114: 199, 3802: 3807 }],
  [range, { 3904: 3905, 3906: 3907, 3908: 3909, 3910: 3911, 3912: 3913, 3926: 3927 }],
];

const byOid = new Map<number, PgType>();
for (const [item, oids] of families) {
  for (const [oid, array] of Object.entries(oids)) byOid.set(Number(oid), item).set(array, arrayOf(item));
}

/** Unlisted types are shown as the text that PostgreSQL prints. */
export const pgType = (oid: number): PgType => byOid.get(oid) ?? text;
