/** visualizations 2.2: the meaning of a column name's suffix. */
export type FilterKind = 'filter' | 'multi-filter';

const kinds: Readonly<Record<string, FilterKind>> = { filter: 'filter', 'multi-filter': 'multi-filter', multiFilter: 'multi-filter' };

function split(name: string): { first: string; suffix: string | undefined } {
  const separator = name.includes('::') ? '::' : '__';
  const at = name.indexOf(separator);
  if (at < 0) return { first: name, suffix: undefined };
  return { first: name.slice(0, at), suffix: name.slice(at + 2) };
}

/** `city::filter` → one value, `city__multiFilter` → several, undefined for any other name. */
export function filterKindOf(name: string): FilterKind | undefined {
  const { suffix } = split(name);
  return suffix !== undefined && Object.hasOwn(kinds, suffix) ? kinds[suffix] : undefined;
}

/** Removes only the suffix of a filter; `::name` is `name`. */
export function displayName(name: string): string {
  if (filterKindOf(name)) return split(name).first || name;
  return name.startsWith('::') && name.indexOf('::', 2) < 0 && name.length > 2 ? name.slice(2) : name;
}

/** Capitalises the first letter of every word. */
export const filterLabel = (name: string): string =>
  displayName(name).replace(/(^|\s)(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
