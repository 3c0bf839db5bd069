import type { Token } from '../tokenize.ts';
import {
  commonReserved,
  type DialectRules,
  eitherLineEnd,
  hasDollarTag,
  isExecutableComment,
  isNestedComment,
  lowerCaseName,
  reserved,
  standard,
  wideSpaces,
} from './rules.ts';

/** Any other SQL (SQL Server, Oracle, Trino, Snowflake, Redshift …): a token is ambiguous when two of them would read it differently. */
export const generic: DialectRules = {
  ...standard,
  nameQuotes: '"`[',
  lineEnd: eitherLineEnd,
  ...wideSpaces,
  isAmbiguous,
  plainName: lowerCaseName,
  reservedNames: reserved(
    commonReserved,
    `backup between current_catalog current_date current_role current_schema current_time current_timestamp current_user delta
    disable enable encode explicit grant identity ignore interval localtime localtimestamp minus new nulls off offline oid old
    open parallel partition percent permissions pivot raw recover respect restore session_user snapshot sysdate system
    system_user tag timestamp top unnest unpivot user wallet without`,
  ),
  limits: { ...standard.limits, hasTop: true },
  formatter: 'sql',
  editor: 'StandardSQL',
};

function isAmbiguous({ kind, text, end }: Token, sql: string, before: Token | undefined): boolean {
  switch (kind) {
    case 'block-comment':
      return isExecutableComment(text) || isNestedComment(text);
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
