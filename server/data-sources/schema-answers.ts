import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';

/** The same whether it was kept or is read by a job (server-behaviour 18.5 and 18.6). */
export const schemaAnswers = {
  schema: (schema: SchemaTable[]) => schema,
  tables: (schema: SchemaTable[]) => ({ schema, has_columns: true }),
  columns: (schema: SchemaTable[], database: string, table: string) =>
    schema.find(({ name }) => name === table || name === `${database}.${table}`)?.columns ?? [],
};
