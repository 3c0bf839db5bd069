import type { Token } from '../tokenize.ts';

/** Everything in which one family of SQL differs from another. A file of this folder holds the rules of one family. */
export interface DialectRules {
  stringQuotes: string;
  nameQuotes: string;
  /** Quotes in which a backslash takes the meaning from the next character. */
  backslashIn: string;
  /** `E'…'` with backslashes, continued on the next line, and `U&'…'`. */
  escapeStrings: boolean;
  /** Opens a dollar-quoted text, which ends at the same mark. */
  dollarTag: RegExp | null;
  nestedComments: boolean;
  /** Starts a comment that runs to the end of the line. */
  lineComment: RegExp;
  lineEnd: RegExp;
  space: RegExp;
  word: RegExp;
  /**
   * True when the token may end elsewhere in another reading of the same dialect. Parameters are refused in such a text (W1): a wrong
   * guess about where a literal ends would let a value out of it.
   */
  isAmbiguous(token: Token, sql: string, before: Token | undefined): boolean;
  /** The quote that names are written with. */
  writesNamesWith: '"' | '`';
  /** Names that need no quotes, as far as they are not reserved. */
  plainName: RegExp;
  /** Words that a table or a column may be called only between quotes. */
  reservedNames: ReadonlySet<string>;
  /** True when the schema lists tables as `schema.table`; false when a dot is part of the table's name. */
  hasSchemas: boolean;
  /** What must follow a time such as `2026-05-04 10:00` in a text that is compared with times. */
  minuteSuffix: '' | ':00';
  limits: LimitRules;
  /** The language of `sql-formatter` that formats it. */
  formatter: string;
  /** The dialect of the editor's highlighting and keywords. */
  editor: 'PostgreSQL' | 'MySQL' | 'SQLite' | 'StandardSQL';
}

/** Where the automatic LIMIT is allowed and needed (Q5, Q9). */
export interface LimitRules {
  /** `(select …) LIMIT 5`. */
  followsParenthesis: boolean;
  /** `FROM t` alone is a query. */
  startsWithFrom: boolean;
  /** LIMIT behind UNION and its like bounds the last branch only. */
  boundsLastBranchOnly: boolean;
  /** `SELECT TOP 5 …`. */
  hasTop: boolean;
  /** `LIMIT 2 BY device` bounds each group, not the rows. */
  hasLimitBy: boolean;
  /** True for a clause of its own that stands behind LIMIT; `next` and `later` are the words after it. */
  isTail?(word: string, next: string, later: string | undefined): boolean;
}

export const reserved = (...texts: string[]): ReadonlySet<string> => new Set(texts.flatMap((text) => text.trim().split(/\s+/)));

/** Words that neither PostgreSQL nor DuckDB takes as the name of a table or a column. */
export const commonReserved = `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
    concurrently constraint create cross default deferrable desc distinct do else end except false fetch for foreign freeze from
    full group having ilike in initially inner intersect into is isnull join lateral leading left like limit natural not notnull
    null offset on only or order outer overlaps placing primary references returning right select similar some symmetric table
    tablesample then to trailing true union unique using variadic verbose when where window with`;

/** Unquoted names keep their capitals. */
export const anyCaseName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Unquoted names lose their capitals, or may lose them. */
export const lowerCaseName = /^[a-z_][a-z0-9_]*$/;

/** The rules of most families; each file says what differs. */
export const standard = {
  stringQuotes: "'",
  nameQuotes: '"',
  backslashIn: '',
  escapeStrings: false,
  dollarTag: null,
  nestedComments: false,
  lineComment: /--/y,
  lineEnd: /\n/g,
  space: /[ \t\n\r\f\v]+/y,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  isAmbiguous: () => false,
  writesNamesWith: '"',
  plainName: anyCaseName,
  hasSchemas: true,
  minuteSuffix: '',
  limits: { followsParenthesis: true, startsWithFrom: false, boundsLastBranchOnly: false, hasTop: false, hasLimitBy: false },
} as const satisfies Partial<DialectRules>;

/** Families that take the spaces of all alphabets as spaces; for the others these are letters. */
export const wideSpaces = {
  space: /[\s\u180e\u200b\u2060]+/y,
  word: /(?:[A-Za-z_]|(?![\s\u180e\u200b\u2060])[\u0080-\uffff])(?:[\w$]|(?![\s\u180e\u200b\u2060])[\u0080-\uffff])*/y,
};
export const eitherLineEnd = /[\n\r]/g;

/** MySQL and MariaDB run what such a comment holds. */
export const isExecutableComment = (comment: string) => /^\/\*M?!/.test(comment);
export const isNestedComment = (comment: string) => comment.includes('/*', 2);
export const hasDollarTag = (word: string) => word.indexOf('$') !== word.lastIndexOf('$');
