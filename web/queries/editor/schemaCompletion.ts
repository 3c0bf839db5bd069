import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { isBlankToken, type Token, tokenize } from '@telltale/domain/sql/tokenize.ts';
import { tableParts } from '@telltale/domain/sql/written-name.ts';

interface NameOption {
  label: string;
  detail: string;
  kind: 'table' | 'column';
}

export interface NameOptions {
  /** The number of characters before the cursor that they replace, without an open quote. */
  length: number;
  options: NameOption[];
}

const capitalised = (type: string | null | undefined) => (type ? type.charAt(0).toUpperCase() + type.slice(1) : 'Column');
const columnsOf = (tables: readonly SchemaTable[]): NameOption[] => {
  const seen = new Map<string, NameOption>();
  for (const { columns } of tables)
    for (const { name, type } of columns) if (!seen.has(name)) seen.set(name, { label: name, detail: capitalised(type), kind: 'column' });
  return [...seen.values()];
};
const tableOptions = (tables: readonly SchemaTable[]): NameOption[] =>
  tables.map(({ name }) => ({ label: name, detail: 'Table', kind: 'table' }));

/** Screens 5.4: names are offered only for a typed beginning; after `table.` or `alias.` the columns of that table. */
export function nameOptions(tables: readonly SchemaTable[], before: string, text: string, dialect: Dialect): NameOptions | null {
  const typed = typedName(before, dialect);
  if (!typed) return null;
  const { owner, length, wholeLength } = typed;
  if (owner.length === 0) return { length, options: [...tableOptions(tables), ...columnsOf(tables)] };
  const owners = tablesNamed(tables, owner, text, dialect);
  if (owners.length > 0) return { length, options: columnsOf(owners) };
  // Tables of the default schema are listed without it.
  const isQualified = tables.some(({ name }) => beginsWith(tableParts(name, dialect), owner));
  if (!isQualified) return { length, options: tableOptions(tables.filter(({ name }) => tableParts(name, dialect).length === 1)) };
  return { length: wholeLength, options: tableOptions(tables) };
}

interface TypedName {
  /** The names before the last dot, without quotes. */
  owner: string[];
  /** The length of the text behind the last dot. */
  length: number;
  /** The length with the owner. */
  wholeLength: number;
}

function typedName(before: string, dialect: Dialect): TypedName | null {
  const tokens = tokenize(before, dialect);
  const last = tokens.at(-1);
  const isOpen = last?.kind === 'quoted-identifier' && last.unterminated === true;
  const isTyped = isOpen || last?.kind === 'word';
  const { path, from } = pathBefore(tokens, isTyped ? tokens.length - 1 : tokens.length);
  if (!last || (!isTyped && path.length === 0)) return null;
  const length = isTyped ? last.text.length - (isOpen ? 1 : 0) : 0;
  return { owner: path, length, wholeLength: before.length - (tokens[from]?.start ?? before.length) };
}

const isName = ({ kind, unterminated }: Token) => kind === 'word' || (kind === 'quoted-identifier' && !unterminated);
const isDot = (token: Token | undefined) => token?.kind === 'operator' && token.text === '.';

/** The names in front of this token, each with its dot. */
function pathBefore(tokens: readonly Token[], end: number): { path: string[]; from: number } {
  const path: string[] = [];
  let from = end;
  for (let name = tokens[from - 2]; name && isName(name) && isDot(tokens[from - 1]); name = tokens[from - 2]) {
    path.unshift(bare(name));
    from -= 2;
  }
  return { path, from };
}

function bare({ kind, text }: Token): string {
  if (kind === 'word') return text;
  const close = text.at(-1) ?? '';
  return text.slice(1, -1).replaceAll(close + close, close);
}

function tablesNamed(tables: readonly SchemaTable[], owner: readonly string[], text: string, dialect: Dialect): SchemaTable[] {
  const direct = named(tables, owner, dialect);
  if (direct.length > 0) return direct;
  if (owner.length > 1) return named(tables, owner.slice(-1), dialect);
  const aliased = aliasedTable(text, owner[0] ?? '', dialect);
  return aliased ? tablesNamed(tables, aliased, '', dialect) : [];
}

/** The table that has the alias in `from a.b as alias`. */
function aliasedTable(text: string, alias: string, dialect: Dialect): string[] | undefined {
  const tokens = tokenize(text, dialect).filter((token) => !isBlankToken(token));
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || !same(bare(token), alias)) continue;
    const end = isWord(tokens[at - 1], 'as') ? at - 1 : at;
    const table = tokens[end - 1];
    if (!table || !isName(table)) continue;
    const { path, from } = pathBefore(tokens, end - 1);
    const clause = tokens[from - 1];
    if (isWord(clause, 'from') || isWord(clause, 'join') || clause?.text === ',') return [...path, bare(table)];
  }
  return undefined;
}

const isWord = (token: Token | undefined, word: string) => token?.kind === 'word' && same(token.text, word);
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const beginsWith = (parts: readonly string[], wanted: readonly string[]) =>
  parts.length > wanted.length && wanted.every((part, i) => same(part, parts[i] ?? ''));

function named(tables: readonly SchemaTable[], wanted: readonly string[], dialect: Dialect): SchemaTable[] {
  return tables.filter(({ name }) => {
    const parts = tableParts(name, dialect);
    const last = parts.slice(-wanted.length);
    return last.length === wanted.length && last.every((part, i) => same(part, wanted[i] ?? ''));
  });
}
