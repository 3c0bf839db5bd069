import { placeholderPattern } from '../sql/placeholder-tag.ts';

export interface ParameterList {
  parameters: Map<string, string>;
  /** The range from the opening brace to the end of the closing one. */
  start: number;
  end: number;
}

const placeholder = new RegExp(placeholderPattern, 'y');

/**
 * Reads `{a=1&b=O%27Brien&c='x & y'}` at this place of a text: values as in an address, or as a quoted literal, which is what a bound
 * parameter becomes (design 8), so that no value can add another. The first of equal names counts.
 */
export function readParameterList(sql: string, start: number): ParameterList | undefined {
  if (sql[start] !== '{') return undefined;
  const parameters = new Map<string, string>();
  for (let at = start + 1; at <= sql.length; ) {
    const equals = endOf(sql, at, '=');
    const name = decoded(sql.slice(at, equals)).trim();
    const isPair = sql[equals] === '=';
    const value = isPair ? readValue(sql, equals + 1) : { text: '', end: equals };
    if (isPair && name !== '' && !parameters.has(name)) parameters.set(name, value.text);
    if (sql[value.end] === '}') return { parameters, start, end: value.end + 1 };
    if (sql[value.end] !== '&') return undefined;
    at = value.end + 1;
  }
  return undefined;
}

function readValue(sql: string, start: number): { text: string; end: number } {
  const quoted = /'((?:[^']|'')*)'(?=[&}])/y;
  quoted.lastIndex = start;
  const literal = quoted.exec(sql);
  if (literal) return { text: (literal[1] ?? '').replaceAll("''", "'"), end: quoted.lastIndex };
  const end = endOf(sql, start, '');
  return { text: decoded(sql.slice(start, end)), end };
}

/** The place of the next `&`, `}` or this mark; a placeholder is skipped as a whole. */
function endOf(sql: string, start: number, mark: string): number {
  for (let at = start; at < sql.length; at++) {
    placeholder.lastIndex = at;
    if (sql[at] === '{' && placeholder.test(sql)) at = placeholder.lastIndex - 1;
    else if (sql[at] === '&' || sql[at] === '}' || sql[at] === mark) return at;
  }
  return sql.length;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
