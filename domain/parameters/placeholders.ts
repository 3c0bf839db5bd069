import { placeholderPattern, readTag, type TagKind } from '../sql/placeholder-tag.ts';
import { isRangeType, type QueryParameter, typeOf } from './contract.ts';

export interface Placeholder {
  kind: TagKind;
  /** The text between the braces: `timerange.start`. */
  path: string;
  start: number;
  end: number;
}

/**
 * Finds the placeholders of a text, comments and literals included. Sections (`{{#x}}`) and other Mustache tags are found too, so that they
 * do not pass as plain text, but a run refuses them: they would make SQL depend on values.
 */
export function findPlaceholders(text: string): Placeholder[] {
  return [...text.matchAll(new RegExp(placeholderPattern, 'g'))].map((match) => {
    const { kind, name } = readTag(match[1] ?? match[2] ?? '');
    return { kind, path: name, start: match.index, end: match.index + match[0].length };
  });
}

/** The number of placeholders and their share of the text, without keeping any: a text may have too many to list. */
export function measurePlaceholders(text: string): { count: number; length: number } {
  const pattern = new RegExp(placeholderPattern, 'g');
  let [count, length] = [0, 0];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    count++;
    length += match[0].length;
  }
  return { count, length };
}

export interface Reference {
  /** The parameter's name. */
  name: string;
  /** `start` or `end` of a range; null for the value itself. */
  part: string | null;
}

/** screens 8.1: `a.b` counts as `a`, unless a parameter of that very name is defined. */
export function referenceOf(path: string, defined: ReadonlySet<string>): Reference {
  if (defined.has(path)) return { name: path, part: null };
  const cut = (dot: number): Reference => ({ name: path.slice(0, dot).trimEnd(), part: path.slice(dot + 1).trim() });
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    if (defined.has(cut(dot).name)) return cut(dot);
  }
  const first = path.indexOf('.');
  return first > 0 ? cut(first) : { name: path, part: null };
}

export const namesOf = (definitions: readonly QueryParameter[]): Set<string> => new Set(definitions.map(({ name }) => name));

/** The names of the parameters that a text uses, in order of appearance. */
export function parameterNames(text: string, definitions: readonly QueryParameter[] = []): string[] {
  const defined = namesOf(definitions);
  const used = findPlaceholders(text).filter(({ kind }) => kind !== 'other');
  return [...new Set(used.map(({ path }) => referenceOf(path, defined).name))];
}

/** W3: placeholders that no definition covers. */
export function undeclaredNames(text: string, definitions: readonly QueryParameter[]): string[] {
  const defined = namesOf(definitions);
  return parameterNames(text, definitions).filter((name) => !defined.has(name));
}

/** screens 8.1: a new name is at once a text parameter titled with the raw name. */
export function newParameter(name: string): QueryParameter {
  return { name, title: name, type: 'text', value: null, global: false };
}

/** The parameters to show and save for this text: the known definitions in their order, then new names as text. */
export function parametersInUse(text: string, known: readonly QueryParameter[]): QueryParameter[] {
  const open = new Set(parameterNames(text, known));
  // Each name comes once: the first of two definitions counts.
  const kept = known.filter(({ name }) => open.delete(name));
  return [...kept, ...[...open].map(newParameter)];
}

/** A definition whose placeholder is temporarily removed is kept until the query is saved (complaint 17). */
export function rememberParameters(known: readonly QueryParameter[], inUse: readonly QueryParameter[]): QueryParameter[] {
  const now = new Map(inUse.map((definition) => [definition.name, definition]));
  const old = namesOf(known);
  return [...known.map((definition) => now.get(definition.name) ?? definition), ...inUse.filter(({ name }) => !old.has(name))];
}

/** screens 8.2: the text that "Add Parameter" inserts. */
export function placeholderText(definition: Pick<QueryParameter, 'name' | 'type'>): string {
  const { name } = definition;
  return isRangeType(typeOf(definition)) ? `{{ ${name}.start }} {{ ${name}.end }}` : `{{ ${name} }}`;
}
