import { firstKeyword, splitStatements } from '@telltale/domain/sql/statements.ts';
import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';
import { placeOf, QueryError } from '../connector.ts';

/** What the server knows, in lower case. */
export interface ServerNames {
  databases: ReadonlySet<string>;
  tableFunctions: ReadonlySet<string>;
}

interface GatedText {
  query: string;
  /** The offsets, in the text as it was written, at which `app` was replaced. */
  replaced: number[];
}

/** Table functions that read nothing but their arguments. */
const harmless = new Set(['numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'generateseries', 'generate_series', 'values', 'null', 'format']);
/** Functions that read files, settings, dictionaries or tables that their arguments name; also of servers that do not list them. */
const reaching = new RegExp(
  `^(?:dict.*|joinget.*|catboost.*|${`hascolumnintable file input modelevaluate evalmlmethod getsetting getserversetting getmacro merge url urlcluster
  filecluster remote remotesecure cluster clusterallreplicas s3 s3cluster gcs oss cosn hdfs hdfscluster azureblobstorage mysql postgresql mongodb
  redis sqlite odbc jdbc executable iceberg deltalake hudi paimon ytsaurus prometheusquery arrowflight loop mergetreeindex mergetreeprojection`
    .trim()
    .split(/\s+/)
    .join('|')})$`,
);
const marks = new Set('+-*/%=!<>,.?:[]|');
const alwaysClosed = new Set(['system', 'information_schema', '_temporary_and_external_tables']);

/**
 * Lets a SELECT on the views of the reader's database pass and refuses every text that could name anything else: the account reads all
 * channels, and old servers know no accounts that read less. The text that is sent holds no comments, so the server reads it as it was read
 * here; `app.` becomes the database with the reader's views.
 */
export function gate(query: string, database: string, names: ServerNames): GatedText {
  const [statement, second] = splitStatements(query, 'clickhouse');
  if (!statement) throw new QueryError("Can't execute empty query.");
  const refuse = (message: string, at: { start: number }): never => {
    throw new QueryError(message, placeOf(query, at.start));
  };
  if (second) refuse('IoT data runs one statement at a time.', second);
  if (!['SELECT', 'WITH'].includes(firstKeyword(statement) ?? '')) refuse('IoT data runs SELECT statements only.', statement);
  const words = statement.tokens.filter((token) => !isBlankToken(token));
  for (const token of statement.tokens) {
    const fault = faultOf(token);
    if (fault) refuse(fault, token);
  }
  const replaced: number[] = [];
  words.forEach((token, place) => {
    if (token.kind !== 'word' && token.kind !== 'quoted-identifier') return;
    const name = nameOf(token).toLowerCase();
    const next = words[place + 1];
    if (next?.text === '(' && isReaching(name, names)) refuse(`The function ${nameOf(token)} cannot be used in IoT data.`, token);
    if (name === 'settings' && token.kind === 'word' && words[place + 2]?.text === '=')
      refuse('SETTINGS cannot be used in IoT data.', token);
    // A number may follow the dot without a space.
    const isDot = next?.text.startsWith('.') === true;
    const isFirst = words[place - 1]?.text !== '.';
    if (isDot && isFirst && nameOf(token) === 'app') replaced.push(token.start);
    else if ((isDot && isClosed(name, names)) || (name.includes('.') && isClosed(name.split('.', 1)[0] ?? '', names)))
      refuse('IoT data has the tables of app only.', token);
  });
  const apps = new Set(replaced);
  let sent = '';
  for (const token of statement.tokens) {
    if (isBlankToken(token)) sent += token.text.replaceAll(/[^\n]/g, ' ');
    else sent += apps.has(token.start) ? database : token.text;
  }
  return { query: `${query.slice(0, statement.start).replaceAll(/[^\n]/g, ' ')}${sent}`, replaced };
}

export const nameOf = ({ kind, text }: Token) => (kind === 'quoted-identifier' ? text.slice(1, -1) : text);
const isClosed = (name: string, { databases }: ServerNames) => databases.has(name) || alwaysClosed.has(name);
const isReaching = (name: string, { tableFunctions }: ServerNames) =>
  !harmless.has(name) && (tableFunctions.has(name) || reaching.test(name));

/** Refuses what this tokenizer and a server of another version could read differently. */
function faultOf({ kind, text, unterminated, ambiguous }: Token): string | undefined {
  const unclear = 'IoT data cannot take this text: write it without';
  if (unterminated) return 'A quote or a comment has no end.';
  switch (kind) {
    case 'line-comment':
      return text.startsWith('--') ? undefined : `${unclear} this kind of comment; -- begins one.`;
    case 'quoted-identifier':
      return /[\\]|""|``/.test(text) ? `${unclear} backslashes and quotes in names.` : undefined;
    case 'word':
      return /^[\w]+$/.test(text) ? undefined : `${unclear} letters of other alphabets outside of quotes.`;
    case 'space':
      return /^[ \t\n\r\f\v]+$/.test(text) ? undefined : `${unclear} unusual spaces.`;
    case 'dollar-string':
    case 'placeholder':
      return `${unclear} ${text.slice(0, 2)}.`;
    case 'operator':
      return marks.has(text) ? undefined : `${unclear} ${text}.`;
    case 'string':
    case 'number':
    case 'open':
    case 'close':
    case 'semicolon':
      return undefined;
    case 'block-comment':
      return ambiguous ? `${unclear} comments inside comments.` : undefined;
  }
}

/** The place in the text as it was written, of a place in the text that was sent. */
export function writtenPlace(
  { line, column }: { line?: number | undefined; column?: number | undefined },
  query: string,
  replaced: readonly number[],
  longer: number,
): { line?: number | undefined; column?: number | undefined } {
  if (line === undefined || column === undefined) return { line, column };
  let shift = 0;
  for (const offset of replaced) {
    const at = placeOf(query, offset);
    if (at.line === line && at.column + shift < column) shift += longer;
  }
  return { line, column: Math.max(1, column - shift) };
}
