import { quoteName } from '@telltale/domain/sql/quote.ts';
import { writtenName, writtenTable } from '@telltale/domain/sql/written-name.ts';
import { dialectOf } from '../editor/dialects.ts';

/** How the names of a schema are written into a query; what is shown stays as the source has it. */
export interface NameWriter {
  table: (name: string) => string;
  column: (name: string) => string;
}

const asTheyAre: NameWriter = { table: (name) => name, column: (name) => name };

/** InfluxQL has many words of its own (name, field, duration …), and its manual quotes all names; only `time` stays plain. */
const influxName = (name: string) => (name === 'time' ? name : quoteName(name, 'generic'));
const influxNames: NameWriter = { table: influxName, column: influxName };

export function nameWriter({ syntax, type }: { syntax: string; type: string }): NameWriter {
  if (type === 'influxdb') return influxNames;
  if (syntax !== 'sql') return asTheyAre;
  const dialect = dialectOf(type);
  return { table: (name) => writtenTable(name, dialect), column: (name) => writtenName(name, dialect) };
}
