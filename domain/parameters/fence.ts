import type { Dialect } from '../sql/dialect.ts';
import { isReserved } from '../sql/keywords.ts';
import { type Token, type TokenKind, tokenize } from '../sql/tokenize.ts';

/** A part of the finished text that must still be one token of this kind. */
export interface Piece {
  kind: TokenKind;
  text: string;
  escapes?: true;
  /** Of the parameter that wrote it. */
  title?: string;
  /** Written by a parameter as a piece of a longer name. */
  joined?: boolean;
}

interface Unit extends Omit<Piece, 'kind'> {
  kind: TokenKind | 'path';
}

/**
 * The second fence of W1: the finished text is read again, and every token of the template must be there as it was, every
 * value exactly the token that it was written as. Answers the title of the parameter at which the two readings part.
 */
export function findLeak(pieces: readonly Piece[], dialect: Dialect): string | null {
  const expected = unite(pieces);
  const tokens = tokenize(pieces.map(({ text }) => text).join(''), dialect);
  const found: Unit[] = unite(tokens);
  const isSame = (unit: Unit, other: Unit | undefined) =>
    other?.kind === unit.kind && other.text === unit.text && (other.escapes ?? false) === (unit.escapes ?? false);
  const at = expected.findIndex((unit, i) => !isSame(unit, found[i]) || (unit.joined && isReserved(unit.text)));
  const isClean = tokens.every((token: Token) => !token.unterminated && !token.ambiguous);
  if (at < 0 && isClean && expected.length === found.length) return null;
  const upTo = at < 0 ? expected : expected.slice(0, at + 1);
  return (upTo.findLast(({ title }) => title) ?? expected.find(({ title }) => title))?.title ?? '';
}

/** Words, numbers and dots that touch are one path: `metric_` + `2024`, `t` + `.` + `a`. */
function unite(pieces: readonly Piece[]): Unit[] {
  const units: Unit[] = [];
  for (const piece of pieces) {
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
