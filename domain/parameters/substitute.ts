import type { Dialect } from '../sql/dialect.ts';
import { readTag } from '../sql/placeholder-tag.ts';
import { isBlankToken, type Token, tokenize, tokenizing } from '../sql/tokenize.ts';
import { finish, roundsPerStep, type Steps } from '../steps.ts';
import { adHocValue, isAdHocValue } from './ad-hoc.ts';
import {
  type DropdownOptions,
  incompatibleMessage,
  incompatibleNames,
  missingMessage,
  missingParameters,
  type ParameterValues,
  valueFor,
} from './check.ts';
import { type QueryParameter, titleOf } from './contract.ts';
import type { Clock } from './dynamic-dates.ts';
import { findLeak, type Piece } from './fence.ts';
import { FinishedSize, mostPlaceholders, tooManyPlaceholders } from './limits.ts';
import { measurePlaceholders, namesOf, newParameter, referenceOf, undeclaredNames } from './placeholders.ts';
import { writePlain } from './plain-text.ts';
import { isJoined, type Neighbours, Refused, renderBare, renderInside } from './render.ts';
import { type Resolved, resolveValue } from './resolve.ts';

export interface SubstituteOptions extends Clock {
  /** design 8: saved queries refuse them; ad hoc runs with full access take them as text. */
  undeclared: 'refuse' | 'text';
  /** Without dropdowns no value of a query-driven dropdown is accepted. */
  dropdowns?: DropdownOptions;
  /** Characters of the finished text. */
  longest?: number;
}

/** `missing` is answered as a failed job, the others as a message (server-behaviour 8.1). */
type RefusalReason = 'undeclared' | 'incompatible' | 'missing' | 'refused';
export type Substituted = { sql: string } | { error: string; reason: RefusalReason };

/**
 * W1, W3, W24 and design 8: binds values to the query safely. A value cannot leave its place: inside quotes it is escaped, outside it is a
 * number, a plain name or a quoted text, in comments it is made harmless, and the finished text is tokenized again to prove it.
 */
export const substitute = (...input: Parameters<typeof substituting>): Substituted => finish(substituting(...input));

/** The same in steps, for texts that take so long that other work needs turns. */
export function* substituting(...input: Parameters<typeof binding>): Steps<Substituted> {
  const bound = yield* binding(...input);
  return 'sql' in bound ? { sql: bound.sql } : bound;
}

/** The place of a token of the query in the finished text. */
export interface Span {
  start: number;
  end: number;
  finishedAt: number;
  /** The token is written unchanged. */
  isSame: boolean;
}

type Bound = { sql: string; spans: Span[] } | Extract<Substituted, { error: string }>;

/** The same, with the origin of each part of the finished text. */
export const substituteWithSpans = (...input: Parameters<typeof binding>): Bound => finish(binding(...input));

function* binding(
  sql: string,
  /** `plain` for texts that are not SQL. */
  dialect: Dialect | 'plain',
  definitions: readonly QueryParameter[],
  values: ParameterValues,
  options: SubstituteOptions,
): Steps<Bound> {
  const { count, length } = measurePlaceholders(sql);
  if (count > mostPlaceholders) return { error: tooManyPlaceholders(count), reason: 'refused' };
  const undeclared = undeclaredNames(sql, definitions);
  const adHoc = new Set(undeclared);
  if (undeclared.length > 0 && options.undeclared === 'refuse') {
    return { error: `The query uses parameters that are not declared: ${undeclared.join(', ')}`, reason: 'undeclared' };
  }
  const isAdHoc = (name: string) => adHoc.has(name);
  // An ad hoc run of a part of the text sends the values of the whole text.
  const declared = namesOf(definitions);
  const isExpected = (name: string) => options.undeclared === 'refuse' || declared.has(name);
  const declaredValues = Object.fromEntries(Object.entries(values).filter(([name]) => isExpected(name)));
  const odd = undeclared.filter((name) => !isAdHocValue(valueFor(values, name)));
  const incompatible = [...incompatibleNames(definitions, declaredValues, options.dropdowns), ...odd];
  if (incompatible.length > 0) return { error: incompatibleMessage(incompatible), reason: 'incompatible' };
  const missing = missingParameters(sql, definitions, values);
  if (missing.length > 0) return { error: missingMessage(missing), reason: 'missing' };

  const known = new Map([...undeclared.map(newParameter), ...definitions.toReversed()].map((definition) => [definition.name, definition]));
  const names = new Set(known.keys());
  let size: FinishedSize | undefined;
  const found = new Map<string, { value: Resolved; title: string }>();
  const resolve = (content: string): { value: Resolved; title: string } => {
    const resolved = found.get(content) ?? resolveAnew(content);
    found.set(content, resolved);
    size?.add(resolved.value);
    return resolved;
  };
  const resolveAnew = (content: string): { value: Resolved; title: string } => {
    const { path } = asVariable(content);
    const { name, part } = referenceOf(path, names);
    const definition = known.get(name) ?? newParameter(name);
    const title = titleOf(definition);
    const given = valueFor(values, name);
    const value = isAdHoc(name) ? adHocValue(given, part, options) : resolveValue(definition, given, part, options);
    if (!value) throw new Refused(wrongPart(path, name, part, title));
    return { value, title };
  };
  try {
    size = new FinishedSize(sql.length - length, options.longest);
    if (count === 0) return { sql, spans: [] };
    const bound = dialect === 'plain' ? { sql: yield* writePlain(sql, resolve), spans: [] } : yield* write(sql, dialect, resolve);
    size.require(bound.sql);
    return bound;
  } catch (error) {
    if (error instanceof Refused) return { error: error.message, reason: 'refused' };
    throw error;
  }
}

function* write(
  sql: string,
  dialect: Dialect,
  resolve: (content: string) => { value: Resolved; title: string },
): Steps<{ sql: string; spans: Span[] }> {
  const tokens = yield* tokenizing(sql, dialect);
  refuseUnclear(tokens);
  let previous: Token | undefined;
  const written: Piece[][] = [];
  const piecesOf = (token: Token, i: number): Piece[] => {
    const around: Neighbours = { before: tokens[i - 1], after: tokens[i + 1], previous };
    if (!isBlankToken(token)) previous = token;
    if (token.kind !== 'placeholder') {
      let title: string | undefined;
      const text = renderInside(token, dialect, (content) => {
        const resolved = resolve(content);
        title = resolved.title;
        return resolved;
      });
      return [{ ...token, text, title }];
    }
    const { value, title } = resolve(token.text.replace(/^\{+|\}+$/g, ''));
    const text = renderBare(value, title, around, dialect);
    return tokenize(text, dialect).map((part) => ({ ...part, title, joined: isJoined(around) }));
  };
  for (const [i, token] of tokens.entries()) {
    if (i % roundsPerStep === 0) yield;
    written.push(piecesOf(token, i));
  }
  const pieces = written.flat();
  yield;
  const leak = yield* findLeak(pieces, dialect);
  if (leak !== null) throw new Refused(`The value of "${leak}" cannot be used safely in this place of the query.`);
  return { sql: pieces.map(({ text }) => text).join(''), spans: yield* spansOf(tokens, written) };
}

function* spansOf(tokens: readonly Token[], written: readonly Piece[][]): Steps<Span[]> {
  let finishedAt = 0;
  const spans: Span[] = [];
  for (const [i, { start, end, text }] of tokens.entries()) {
    if (i % roundsPerStep === 0) yield;
    const now = (written[i] ?? []).map((piece) => piece.text).join('');
    spans.push({ start, end, finishedAt, isSame: now === text });
    finishedAt += now.length;
  }
  return spans;
}

/** Refuses a text whose literals have no certain end: it takes no values. */
function refuseUnclear(tokens: readonly Token[]): void {
  const unclear = tokens.find((token) => token.unterminated || token.ambiguous);
  if (!unclear) return;
  const where = unclear.text.length > 40 ? `${unclear.text.slice(0, 40)}…` : unclear.text;
  const why = unclear.unterminated ? 'is not closed' : 'can be read in more than one way';
  throw new Refused(`Parameters cannot be used in this query: ${where} ${why}.`);
}

function asVariable(content: string): { path: string } {
  const { kind, name } = readTag(content);
  if (kind !== 'variable') throw new Refused(`{{${content}}} is not supported: only placeholders like {{ name }} are.`);
  return { path: name };
}

function wrongPart(path: string, name: string, part: string | null, title: string): string {
  if (part === null) return `The parameter "${title}" is a range: use {{ ${name}.start }} and {{ ${name}.end }}.`;
  return `The parameter "${title}" has no part "${part}" for {{ ${path} }}.`;
}
