import type { Dialect } from '../sql/dialect.ts';
import { isReserved } from '../sql/keywords.ts';
import { type Token, type TokenKind, tokenizing } from '../sql/tokenize.ts';
import { roundsPerStep, type Steps } from '../steps.ts';

/** A part of the finished text that must still be one token of this kind. */
export interface Piece {
  kind: TokenKind;
  text: string;
  escapes?: true;
  /** The title of the parameter that wrote it. */
  title?: string;
  /** Written by a parameter as a piece of a longer name. */
  joined?: boolean;
}

interface Unit extends Omit<Piece, 'kind'> {
  kind: TokenKind | 'path';
}

/**
 * The second check of W1: the finished text is tokenized again; every token of the template must be unchanged, and every value must be
 * exactly the token that it was written as. Returns the title of the parameter at which the two readings differ.
 */
export function* findLeak(pieces: readonly Piece[], dialect: Dialect): Steps<string | null> {
  const expected = yield* unite(pieces);
  const tokens = yield* tokenizing(pieces.map(({ text }) => text).join(''), dialect);
  const found: Unit[] = yield* unite(tokens);
  const isSame = (unit: Unit, other: Unit | undefined) =>
    other?.kind === unit.kind && other.text === unit.text && (other.escapes ?? false) === (unit.escapes ?? false);
  let at = -1;
  for (const [i, unit] of expected.entries()) {
    if (i % roundsPerStep === 0) yield;
    if (isSame(unit, found[i]) && !(unit.joined && isReserved(unit.text))) continue;
    at = i;
    break;
  }
  const isClean = tokens.every((token: Token) => !token.unterminated && !token.ambiguous);
  if (at < 0 && isClean && expected.length === found.length) return null;
  const upTo = at < 0 ? expected : expected.slice(0, at + 1);
  return (upTo.findLast(({ title }) => title) ?? expected.find(({ title }) => title))?.title ?? '';
}

/** Joins adjacent words, numbers and dots to one path: `metric_` + `2024`, `t` + `.` + `a`. */
function* unite(pieces: readonly Piece[]): Steps<Unit[]> {
  const units: Unit[] = [];
  for (const [i, piece] of pieces.entries()) {
    if (i % roundsPerStep === 0) yield;
    const last = units.at(-1);
    const isPath = piece.kind === 'word' || piece.kind === 'number' || piece.text === '.';
    if (isPath && last?.kind === 'path') {
      last.text += piece.text;
      last.title ??= piece.title;
      last.joined ||= piece.joined;
    } else
      units.push({
        text: piece.text,
        escapes: piece.escapes,
        title: piece.title,
        joined: piece.joined,
        kind: isPath ? 'path' : piece.kind,
      });
  }
  return units;
}
