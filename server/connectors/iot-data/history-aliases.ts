import type { Token } from '@telltale/domain/sql/tokenize.ts';
import { nameOf } from './history-gate.ts';

/** Words after which a name is a column. */
const openers = new Set('select distinct and or not where prewhere having by on using in between like when then else case from'.split(' '));
/** What comes after a name, not after one of these words. */
const closers = new Set([',', ')', ']', 'from', 'select', 'where', 'as']);

/**
 * The names that a statement may give to expressions and tables, in lower case, with the tokens that do so: whatever is not surely a
 * column. Undefined when one of the words above is a name itself, because nothing is sure then.
 */
export function aliasesOf(words: readonly Token[]): Map<string, Token[]> | undefined {
  const found = new Map<string, Token[]>();
  for (const [place, token] of words.entries()) {
    if (token.kind !== 'word' && token.kind !== 'quoted-identifier') continue;
    const name = nameOf(token).toLowerCase();
    const [before, next, later] = [words[place - 1], words[place + 1], words[place + 2]];
    if (openers.has(name)) {
      const isName = token.kind === 'quoted-identifier' || isWord(before, 'as') || !next || closers.has(next.text.toLowerCase());
      if (isName) return undefined;
    } else if (before && (!opensColumn(before) || (isWord(next, 'as') && later?.text === '('))) {
      const tokens = found.get(name);
      if (tokens) tokens.push(token);
      else found.set(name, [token]);
    }
  }
  return found;
}

const opensColumn = ({ kind, text }: Token) =>
  kind === 'open' || (kind === 'operator' && text !== ']') || (kind === 'word' && openers.has(text.toLowerCase()));

export const isWord = (token: Token | undefined, word: string) => token?.kind === 'word' && token.text.toLowerCase() === word;
