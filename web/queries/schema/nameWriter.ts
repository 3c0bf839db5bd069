import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { quoteName } from '@telltale/domain/sql/quote.ts';
import { writtenName, writtenTable } from '@telltale/domain/sql/written-name.ts';

/** Writes the names of a schema into a query; the schema itself shows them as the source has them. */
export interface NameWriter {
  table: (name: string) => string;
  column: (name: string) => string;
}

const asTheyAre: NameWriter = { table: (name) => name, column: (name) => name };

/** InfluxQL has many keywords (name, field, duration …), and its manual quotes all names; only `time` stays plain. */
const influxName = (name: string) => (name === 'time' ? name : quoteName(name, 'generic'));
const influxNames: NameWriter = { table: influxName, column: influxName };

export function nameWriter({ syntax, type, dialect }: Pick<DataSource, 'syntax' | 'type' | 'dialect'>): NameWriter {
  if (type === 'influxdb') return influxNames;
  if (syntax !== 'sql') return asTheyAre;
  return { table: (name) => writtenTable(name, dialect), column: (name) => writtenName(name, dialect) };
}
