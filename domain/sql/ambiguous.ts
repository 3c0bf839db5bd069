import type { Dialect } from './dialect.ts';
import type { Token } from './tokenize.ts';

/**
 * Does this token end elsewhere in another reading of the same dialect? `generic` stands for many kinds of databases,
 * DuckDB has two parsers, MySQL runs what is inside `/*!`. Parameters are refused in such a text (W1): a wrong guess
 * about where a literal ends would let a value out of it.
 */
export function isAmbiguous(token: Token, dialect: Dialect, sql: string, before: Token | undefined): boolean {
  const { text } = token;
  switch (dialect) {
    case 'mysql':
      return token.kind === 'block-comment' && isExecutable(text);
    case 'duckdb':
      if (token.kind === 'block-comment') return isNested(text);
      if (token.kind === 'string') return token.escapes === true && text.includes("\\'");
      return token.kind === 'word' && hasDollarTag(text);
    case 'clickhouse':
      if (token.kind === 'block-comment') return isNested(text);
      return (token.kind === 'operator' && text === '$') || (token.kind === 'word' && /[‘’“”]/.test(text));
    case 'generic':
      return isAmbiguousAnywhere(token, sql, before);
    default:
      return false;
  }
}

function isAmbiguousAnywhere({ kind, text, end }: Token, sql: string, before: Token | undefined): boolean {
  switch (kind) {
    case 'block-comment':
      return isExecutable(text) || isNested(text);
    case 'line-comment':
      return (/^--\S/.test(text) && /['"`]|\/\*|\{\{/.test(text)) || (sql[end] === '\r' && sql[end + 1] !== '\n');
    case 'string':
      // Backslash escapes, BigQuery's triple quotes, Oracle's q'[…]'.
      return /\\'|'''/.test(text) || (before?.kind === 'word' && /^n?q$/i.test(before.text));
    case 'quoted-identifier':
      // "…" is a text for some, [ ] an array for some, ` nothing for some.
      return text.startsWith('"') ? /\\"|"""/.test(text) : /['"]|--|\/\*|\]/.test(text.slice(1, -1)) || sql[end] === ']';
    case 'word':
      return hasDollarTag(text) || /[‘’“”]/.test(text);
    case 'operator':
      return text === '#' || text === '$' || (text === '/' && before?.text === '/');
    default:
      return false;
  }
}

const isExecutable = (comment: string) => /^\/\*M?!/.test(comment);
const isNested = (comment: string) => comment.includes('/*', 2);
const hasDollarTag = (word: string) => word.indexOf('$') !== word.lastIndexOf('$');
