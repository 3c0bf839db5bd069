import { applyAutoLimit } from '../sql/auto-limit.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { ParameterValues } from './check.ts';
import type { QueryParameter } from './contract.ts';
import { type Span, substituteWithSpans } from './substitute.ts';

export interface Place {
  /** Both from 1. */
  line: number;
  column: number;
}

export interface RanText {
  /** The text as its author wrote it. */
  text: string;
  dialect: Dialect;
  definitions: readonly QueryParameter[];
  values: ParameterValues;
  isLimited: boolean;
}

/** Complaint 5: a database reports places in the sent text; the author sees the text with placeholders and without our limit. */
export function placeInText(place: Place, { text, dialect, definitions, values, isLimited }: RanText): Place {
  const clock = { now: new Date(0), timeZone: 'UTC' };
  const bound = substituteWithSpans(text, dialect, definitions, values, { ...clock, undeclared: 'text', dropdowns: 'unchecked' });
  if ('error' in bound) return place;
  const sent = isLimited ? applyAutoLimit(bound.sql, dialect) : bound.sql;
  const at = beforeLimit(offsetOf(sent, place), bound.sql, sent);
  return placeOf(text, bound.spans.length === 0 ? at : inTemplate(at, bound.spans));
}

function beforeLimit(at: number, sql: string, sent: string): number {
  const added = sent.length - sql.length;
  if (added === 0) return at;
  let limitAt = 0;
  while (limitAt < sql.length && sql[limitAt] === sent[limitAt]) limitAt++;
  return at <= limitAt ? at : Math.max(limitAt, at - added);
}

/** A place inside a written value maps to its placeholder. */
function inTemplate(at: number, spans: readonly Span[]): number {
  const span = spans.findLast(({ finishedAt }) => finishedAt <= at);
  if (!span) return at;
  return span.isSame ? Math.min(span.end, span.start + at - span.finishedAt) : span.start;
}

function offsetOf(text: string, { line, column }: Place): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
