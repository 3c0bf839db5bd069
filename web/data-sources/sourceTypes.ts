import type { DataSourceType } from '@telltale/domain/data-sources/contract.ts';

/** Design 5: the source that is always there. The list of kinds leaves it out, because nobody can make one. */
export const builtInType = 'telltale';
const builtInTypeName = 'Telltale';

/** What people call a kind; its own word where nobody knows it any more. */
export function typeNameOf(types: readonly DataSourceType[] | undefined, type: string): string {
  if (type === builtInType) return builtInTypeName;
  return types?.find((known) => known.type === type)?.name ?? type;
}
