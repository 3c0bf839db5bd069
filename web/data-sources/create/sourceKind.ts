import type { TypeSchema } from '@telltale/domain/forms/type-schema.ts';

/** A kind to choose from: of databases, of notices. */
export interface SourceKind {
  type: string;
  name: string;
  configuration_schema: TypeSchema;
  deprecated?: boolean | undefined;
}

/** Screens 12.1: those that are on their way out are not offered; every word of the term is in the name or the type. */
export function offeredKinds(kinds: readonly SourceKind[], term: string): SourceKind[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  return kinds.filter(({ name, type, deprecated }) => !deprecated && words.every((word) => `${name} ${type}`.toLowerCase().includes(word)));
}
