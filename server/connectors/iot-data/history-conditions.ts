import type { Token } from '@telltale/domain/sql/tokenize.ts';
import { isWord } from './history-aliases.ts';
import { momentOf } from './history-moments.ts';

/**
 * 27 hours: a time zone is at most 24 hours away from UTC, a minute or an hour is shown by its beginning, and the console itself shifts
 * `time` by a minute.
 */
const slack = 97_200;

type Tokens = readonly Token[];
/** Returns the column that the tokens name, if it is one that may be used. */
type ColumnOf = (tokens: Tokens) => string | undefined;

/**
 * What follows from a condition for columns of the key alone: as much as it says, or less, never more. Texts are compared as they stand;
 * nothing that a person wrote is computed from a row.
 */
export function conditionsOf(condition: Tokens, columnOf: ColumnOf): string[] {
  const place = condition.findIndex((token) => '<>='.includes(token.text) || isWord(token, 'in') || isWord(token, 'between'));
  const [left, operator, right] = [condition.slice(0, place), condition[place], condition.slice(place + 1)];
  if (place < 1 || !operator || right.length === 0) return [];
  const column = columnOf(left);
  if (isWord(operator, 'in')) return column && column !== 'time' ? membership(column, right) : [];
  if (isWord(operator, 'between')) {
    const and = right.findIndex((token) => isWord(token, 'and'));
    return column === 'time' && and > 0 ? between(right.slice(0, and), right.slice(and + 1)) : [];
  }
  const isLong = operator.text !== '=' && right[0]?.text === '=';
  const [sign, other] = isLong ? [`${operator.text}=`, right.slice(1)] : [operator.text, right];
  if (column && column !== 'time') {
    const [text] = other;
    return sign === '=' && other.length === 1 && isPlainText(text) ? [`${column} = ${text.text}`] : [];
  }
  if (column) return comparison(sign, momentOf(other));
  if (columnOf(other) === 'time') return comparison(mirrored(sign), momentOf(left));
  // A moment near the beginning of DateTime wraps around when something is taken away, and is then greater than any other.
  const isShifted = columnOf(left.slice(0, -4)) === 'time' && /^- interval (?:\d|[1-5]\d) (?:second|minute)$/i.test(textOf(left.slice(-4)));
  return isShifted && sign.startsWith('<') ? comparison(sign, momentOf(other)) : [];
}

function membership(column: string, list: Tokens): string[] {
  const items = list.slice(1, -1);
  const isList = list[0]?.text === '(' && list.at(-1)?.text === ')' && items.length % 2 === 1;
  const isPlain = items.every((token, place) => (place % 2 === 0 ? isPlainText(token) : token.text === ','));
  return isList && isPlain ? [`${column} in (${items.map(({ text }) => text).join('')})`] : [];
}

function between(low: Tokens, high: Tokens): string[] {
  const [from, to] = [momentOf(low), momentOf(high)];
  return from && to ? [...comparison('>', from), ...comparison('<', to)] : [];
}

function comparison(sign: string, moment: string | undefined): string[] {
  if (!moment) return [];
  const from = `time >= ${moment} - ${slack}`;
  const to = `time <= ${moment} + ${slack}`;
  if (sign === '=') return [from, to];
  return sign.startsWith('>') ? [from] : [to];
}

const mirrored = (sign: string) => sign.replace(/[<>]/, (mark) => (mark === '<' ? '>' : '<'));
const isPlainText = (token: Token | undefined): token is Token => token?.kind === 'string' && !token.text.includes('\\');
const textOf = (tokens: Tokens) => tokens.map(({ text }) => text).join(' ');
