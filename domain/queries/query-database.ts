import type { QueryOptions } from '../parameters/contract.ts';

/** Q3: the database of its source that a query uses (`options.schemaOptions.selectedDatabase`); the source's default without one. */
export function databaseOf(options: Partial<QueryOptions> | undefined): string | null {
  const schemaOptions: unknown = options?.schemaOptions;
  if (typeof schemaOptions !== 'object' || schemaOptions === null) return null;
  const chosen: unknown = Reflect.get(schemaOptions, 'selectedDatabase');
  return typeof chosen === 'string' && chosen !== '' && chosen.length <= 255 && !chosen.includes('\0') ? chosen : null;
}

/** The options with another database; null removes the choice. */
export function withDatabase<O extends Partial<QueryOptions>>(options: O, database: string | null): O {
  const { schemaOptions, ...rest } = options;
  const kept = typeof schemaOptions === 'object' && schemaOptions !== null ? { ...schemaOptions } : {};
  if (database !== null) return { ...rest, schemaOptions: { ...kept, selectedDatabase: database } } as unknown as O;
  const { selectedDatabase: _, ...others } = kept as Record<string, unknown>;
  return (Object.keys(others).length > 0 ? { ...rest, schemaOptions: others } : rest) as unknown as O;
}
