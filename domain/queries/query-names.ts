import { isBlankToken, type Token, tokenize } from '../sql/tokenize.ts';
import { readParameterList } from './parameter-list.ts';

/** A result that a text of the source Query Results reads as if it were a table (server-behaviour 19). */
export interface NamedResult {
  /** The name as written, with `query` in small letters: `query_5`, `cached_query_5`, `param_query_5_{a=1&b=2}`. */
  name: string;
  /** Run now, take the latest stored result, or run now with these parameters. */
  kind: 'query' | 'cached_query' | 'param_query';
  query_id: number;
  parameters: Map<string, string>;
  /** The table name in the rewritten text: letters, digits and underscores only. */
  table: string;
}

export interface QueryNames {
  /** Each once, in the order of the text. */
  results: NamedResult[];
  /** The text with every name as a plain table name. */
  text: string;
  /** Maps an offset in the rewritten text to the original, for faults. */
  originalOffset(offset: number): number;
}

/** Keywords that a table may follow. */
const opening = new Set(['FROM', 'JOIN', 'TABLE', 'DESCRIBE', 'SUMMARIZE', 'PIVOT', 'UNPIVOT', 'PIVOT_WIDER', 'PIVOT_LONGER']);
/** Keywords that end the list of tables. */
const closing = new Set('SELECT WHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET UNION EXCEPT INTERSECT VALUES SET'.split(' '));
const plainName = /^(query|cached_query)_([1-9]\d{0,8})$/;
const parameterisedName = /^param_query_([1-9]\d{0,8})_$/;

/** The limit of repeated tokenizing; only contrived texts need more. */
const largestAgainCount = 20;
const largestAgainLength = 1_000_000;

/**
 * Finds the results that a text reads in place of tables; texts, comments and columns do not count. The text is DuckDB's SQL, its
 * parameters bound or still there as `{{p}}`.
 */
export function findQueryNames(sql: string): QueryNames {
  const results = new Map<string, NamedResult>();
  const edits: { start: number; end: number; text: string }[] = [];
  const reader = new TableReader();
  let againCount = 0;
  let againLength = 0;
  let tokens = tokenize(sql, 'duckdb');
  /** The offset of the tokens in the text. */
  let from = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (isBlankToken(token)) continue;
    const isTable = reader.read(token) && !['.', '('].includes(solidAfter(tokens, i)?.text ?? '');
    const word = isTable ? nameIn(token) : '';
    const [, kind, id] = plainName.exec(word) ?? [];
    if (kind === 'query' || kind === 'cached_query') add({ name: word, kind, query_id: Number(id), parameters: new Map(), table: word });
    const [, parameterisedId] = parameterisedName.exec(word) ?? [];
    const list = parameterisedId ? readParameterList(sql, from + token.end) : undefined;
    if (!list) continue;
    while (from + (tokens[i + 1]?.start ?? sql.length) < list.end) i++;
    // The text between the braces is no SQL: a quote in it may have swallowed the rest, so the rest is tokenized again.
    if (from + (tokens[i]?.end ?? 0) > list.end) {
      againLength += sql.length - list.end;
      if (++againCount > largestAgainCount || againLength > largestAgainLength) break;
      tokens = tokenize(sql.slice(list.end), 'duckdb');
      from = list.end;
      i = -1;
    }
    const name = word + sql.slice(list.start, list.end);
    const table = results.get(name)?.table ?? `${word}${results.size + 1}`;
    add({ name, kind: 'param_query', query_id: Number(parameterisedId), parameters: list.parameters, table });
    edits.push({ start: list.start - token.text.length, end: list.end, text: table });
  }

  function add(result: NamedResult): void {
    if (!results.has(result.name)) results.set(result.name, result);
  }

  return {
    results: [...results.values()],
    text: edits.map(({ start, text }, i) => sql.slice(edits[i - 1]?.end ?? 0, start) + text).join('') + sql.slice(edits.at(-1)?.end ?? 0),
    originalOffset: (offset) => {
      let moved = 0;
      for (const { start, end, text } of edits) {
        if (offset - moved < start) break;
        if (offset - moved < start + text.length) return start;
        moved += text.length - (end - start);
      }
      return offset - moved;
    },
  };
}

/** Follows a text and says for each token whether a table may stand there. */
class TableReader {
  /** For each open parenthesis: whether we are in a list of tables, so that a comma leads to another one. */
  readonly #lists = [false];
  #isTableNext = false;

  read({ kind, text }: Token): boolean {
    const wasTableNext = this.#isTableNext;
    const word = kind === 'word' ? text.toUpperCase() : '';
    const depth = this.#lists.length - 1;
    if (kind === 'open') this.#lists.push(wasTableNext);
    else if (kind === 'close' && depth > 0) this.#lists.pop();
    else if (opening.has(word)) this.#lists[depth] = true;
    else if (closing.has(word) || kind === 'semicolon') this.#lists[depth] = false;
    this.#isTableNext =
      opening.has(word) || (wasTableNext && (kind === 'open' || word === 'LATERAL')) || (text === ',' && this.#lists.at(-1) === true);
    return wasTableNext && (kind === 'word' || kind === 'quoted-identifier');
  }
}

function solidAfter(tokens: readonly Token[], i: number): Token | undefined {
  let next = i + 1;
  for (let token = tokens[next]; token && isBlankToken(token); token = tokens[next]) next++;
  return tokens[next];
}

const nameIn = ({ kind, text }: Token) => (kind === 'quoted-identifier' ? text.slice(1, -1) : text).toLowerCase();
