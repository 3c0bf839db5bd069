import type { DataSourceType } from '@telltale/domain/data-sources/contract.ts';

/** Design 5: the built-in source. The list of kinds leaves it out, because it cannot be created. */
export const builtInType = 'telltale';
const builtInTypeName = 'Telltale';

/** The name of a kind for people; the type itself for an unknown kind. */
export function typeNameOf(types: readonly DataSourceType[] | undefined, type: string): string {
  if (type === builtInType) return builtInTypeName;
  return types?.find((known) => known.type === type)?.name ?? type;
}
