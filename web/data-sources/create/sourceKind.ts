import type { TypeSchema } from '@telltale/domain/forms/type-schema.ts';

/** A kind to choose from: of data sources or destinations. */
export interface SourceKind {
  type: string;
  name: string;
  configuration_schema: TypeSchema;
  deprecated?: boolean | undefined;
  /** The reason why it cannot be chosen. */
  unavailable?: string | undefined;
}

/** Screens 12.1: deprecated kinds are not offered; every word of the term must be in the name or the type. */
export function offeredKinds(kinds: readonly SourceKind[], term: string): SourceKind[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  return kinds.filter(({ name, type, deprecated }) => !deprecated && words.every((word) => `${name} ${type}`.toLowerCase().includes(word)));
}
