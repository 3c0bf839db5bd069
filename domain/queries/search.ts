/**
 * server-behaviour 7.9: the language of the search box. All terms must match, an unquoted word also as a prefix; `or` between two means
 * either, `-word` means without, quotes hold a phrase, parentheses group. Incomplete input is read as well as possible: a search box shows
 * no errors.
 */
type Term = { kind: 'words'; words: string[]; isPrefix: boolean } | { kind: 'not'; term: Term } | { kind: 'all' | 'any'; terms: Term[] };

interface Token {
  kind: 'open' | 'close' | 'not' | 'or' | 'phrase' | 'word';
  text: string;
}

const pattern = /"([^"]*)"?|([()])|(-)(?=[^\s)-])|([^\s()"]+)/g;

function tokens(q: string): Token[] {
  return [...q.matchAll(pattern)].map(([, phrase, paren, minus, word = '']): Token => {
    if (phrase !== undefined) return { kind: 'phrase', text: phrase };
    if (paren) return { kind: paren === '(' ? 'open' : 'close', text: paren };
    if (minus) return { kind: 'not', text: minus };
    return { kind: word.toLowerCase() === 'or' ? 'or' : 'word', text: word };
  });
}

/** The index splits at every sign of ASCII that is no letter or digit, and so do we; the longest word it knows is shorter than this. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[^A-Za-z0-9\u0080-\u{10ffff}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, 200));

/** A text for `to_tsquery`, or null when there is no term. */
export function searchExpression(q: string): string | null {
  const open = tokens(q);
  let at = 0;

  const any = (): Term | null => {
    const terms = [all()];
    while (open[at]?.kind === 'or') {
      at++;
      terms.push(all());
    }
    return joined('any', terms);
  };
  const all = (): Term | null => {
    const terms: (Term | null)[] = [];
    for (let next = open[at]; next && next.kind !== 'close' && next.kind !== 'or'; next = open[at]) terms.push(one());
    return joined('all', terms);
  };
  const one = (): Term | null => {
    const token = open[at++];
    if (!token) return null;
    if (token.kind === 'not') {
      const term = one();
      return term && { kind: 'not', term };
    }
    if (token.kind === 'open') {
      const term = any();
      if (open[at]?.kind === 'close') at++;
      return term;
    }
    const words = wordsOf(token.text);
    return words.length > 0 ? { kind: 'words', words, isPrefix: token.kind === 'word' } : null;
  };

  const terms: (Term | null)[] = [];
  while (at < open.length) {
    terms.push(any());
    // A parenthesis without its opening one.
    if (open[at]?.kind === 'close') at++;
  }
  const term = joined('all', terms);
  return term && written(term);
}

function joined(kind: 'all' | 'any', terms: (Term | null)[]): Term | null {
  const kept = terms.filter((term) => term !== null);
  return kept.length > 1 ? { kind, terms: kept } : (kept[0] ?? null);
}

/** Words contain only letters and digits here, so nothing in a word is syntax for the database. */
function written(term: Term): string {
  if (term.kind === 'not') return `!(${written(term.term)})`;
  if (term.kind !== 'words') return `(${term.terms.map(written).join(term.kind === 'all' ? ' & ' : ' | ')})`;
  const last = term.words.length - 1;
  const phrase = term.words.map((word, i) => `'${word}'${term.isPrefix && i === last ? ':*' : ''}`).join(' <-> ');
  return last > 0 ? `(${phrase})` : phrase;
}

/** A bare number is first of all a query id. */
export const searchedId = (q: string): number | null => (/^\s*\d{1,9}\s*$/.test(q) ? Number(q) : null);

export interface SubstringTerm {
  key: 'name' | 'description' | 'query' | 'id' | null;
  text: string;
}

/**
 * server-behaviour 7.9, for languages without blanks: every term is a part of the name or description, or of the field that its key names.
 */
export function substringTerms(q: string): SubstringTerm[] {
  return [...q.matchAll(/(?:(name|description|query|id):)?(?:"([^"]*)"?|(\S+))/gi)]
    .map(([, key, phrase, word]) => ({
      key: (key?.toLowerCase() as SubstringTerm['key'] | undefined) ?? null,
      text: (phrase ?? word ?? '').trim(),
    }))
    .filter(({ text }) => text !== '')
    .slice(0, 20);
}
