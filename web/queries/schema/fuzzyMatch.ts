/** Stretches of a name, from and up to a position. */
export type Span = [from: number, to: number];

const beginsPart = (name: string, at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(name[at - 1] ?? '');

/** Where a word stands in a name: in one piece, else letter by letter from the beginning of one of its parts ("devid" in "device_id"). */
export function fuzzyMatch(name: string, word: string): Span[] | null {
  const [text, sought] = [name.toLowerCase(), word.toLowerCase()];
  if (sought === '' || text.length !== name.length) return null;
  const whole = text.indexOf(sought);
  if (whole >= 0) return [[whole, whole + sought.length]];
  for (let start = text.indexOf(sought.charAt(0)); start >= 0; start = text.indexOf(sought.charAt(0), start + 1)) {
    const spans = beginsPart(text, start) ? lettersFrom(text, sought, start) : null;
    if (spans) return spans;
  }
  return null;
}

function lettersFrom(text: string, sought: string, start: number): Span[] | null {
  const spans: Span[] = [];
  let at = start;
  for (const letter of sought) {
    at = text.indexOf(letter, at);
    if (at < 0) return null;
    const last = spans.at(-1);
    if (last?.[1] === at) last[1] = at + letter.length;
    else spans.push([at, at + letter.length]);
    at += letter.length;
  }
  return spans;
}

/** What the words have found in a name, in order and without overlaps. */
export function marksIn(name: string, words: readonly string[]): Span[] {
  const found = words.flatMap((word) => fuzzyMatch(name, word) ?? []).sort((a, b) => a[0] - b[0]);
  const joined: Span[] = [];
  for (const [from, to] of found) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
