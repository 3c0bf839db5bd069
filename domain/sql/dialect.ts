/** The families of SQL that our sources speak; `generic` is any other (SQL Server, Oracle, Trino, Snowflake …). */
export const dialects = ['postgres', 'mysql', 'sqlite', 'duckdb', 'clickhouse', 'generic'] as const;
export type Dialect = (typeof dialects)[number];

/** Where the families differ about the place at which a text, a name or a comment ends. */
export interface Traits {
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
}

const standard: Traits = {
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
};
/** These take the spaces of all alphabets for spaces; for the others they are letters. */
const wideSpaces = {
  space: /[\s\u180e\u200b\u2060]+/y,
  word: /(?:[A-Za-z_]|(?![\s\u180e\u200b\u2060])[\u0080-\uffff])(?:[\w$]|(?![\s\u180e\u200b\u2060])[\u0080-\uffff])*/y,
};
const eitherLineEnd = /[\n\r]/g;

const postgres: Traits = {
  ...standard,
  escapeStrings: true,
  dollarTag: /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y,
  nestedComments: true,
  lineEnd: eitherLineEnd,
};

export const traitsOf: Record<Dialect, Traits> = {
  /** The connector keeps `standard_conforming_strings` on. */
  postgres,
  duckdb: { ...postgres, ...wideSpaces },
  /** The connector keeps NO_BACKSLASH_ESCAPES off. `5--1` is a difference, `5-- 1` has a comment. */
  mysql: {
    ...standard,
    stringQuotes: `'"`,
    nameQuotes: '`',
    backslashIn: `'"`,
    lineComment: /--(?=[\s\p{Cc}]|$)|#/uy,
  },
  sqlite: { ...standard, nameQuotes: '"`[' },
  clickhouse: {
    ...standard,
    nameQuotes: '"`',
    backslashIn: `'"\``,
    dollarTag: /\$[A-Za-z0-9_\u0080-\uffff]*\$/y,
    nestedComments: true,
    lineComment: /--|\/\/|#(?=[ !])/y,
    ...wideSpaces,
  },
  generic: { ...standard, nameQuotes: '"`[', lineEnd: eitherLineEnd, ...wideSpaces },
};
