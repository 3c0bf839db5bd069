import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';

/** The same answers for a stored schema and for one that a job reads (server-behaviour 18.5 and 18.6). */
export const schemaAnswers = {
  schema: (schema: SchemaTable[]) => schema,
  tables: (schema: SchemaTable[]) => ({ schema, has_columns: true }),
  columns: (schema: SchemaTable[], database: string, table: string) =>
    schema.find(({ name }) => name === table || name === `${database}.${table}`)?.columns ?? [],
};
