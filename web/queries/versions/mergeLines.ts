import { diff } from '@codemirror/merge';

/** Characters from here on are halves of others. */
const firstSurrogate = 0xd800;
/** Texts with more differences have little in common; a user waits for this. */
const limits = { scanLimit: 800, timeout: 500 };

/** Lines `from` to `to` of the common beginning were replaced by these. */
interface Change {
  from: number;
  to: number;
  lines: string[];
}

/** Merges the changes of both users; null where they changed the same place differently. */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  const lines = base.split('\n');
  const [own, other] = [changesOf(lines, mine.split('\n')), changesOf(lines, theirs.split('\n'))];
  const all = [...own, ...other.filter((change) => !own.some((one) => isSame(one, change)))].sort((a, b) => a.from - b.from || a.to - b.to);
  const isDisputed = all.some((change, at) => {
    const next = all[at + 1];
    // Adjacent changes conflict, too: their order is unknown.
    return next !== undefined && next.from <= change.to;
  });
  if (isDisputed) return null;
  const merged: string[] = [];
  let at = 0;
  for (const { from, to, lines: changed } of all) {
    merged.push(...lines.slice(at, from), ...changed);
    at = to;
  }
  return [...merged, ...lines.slice(at)].join('\n');
}

const isSame = (a: Change, b: Change) => a.from === b.from && a.to === b.to && a.lines.join('\n') === b.lines.join('\n');

/** Lines as characters, so that a difference of characters is one of lines; null with more different lines than there are characters. */
function encode(texts: readonly (readonly string[])[]): string[] | null {
  const codes = new Map<string, string>();
  for (const line of texts.flat()) if (!codes.has(line)) codes.set(line, String.fromCharCode(codes.size + 1));
  return codes.size < firstSurrogate ? texts.map((lines) => lines.map((line) => codes.get(line)).join('')) : null;
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const [a, b] = encode([before, after]) ?? [];
  if (a === undefined || b === undefined) return [{ from: 0, to: before.length, lines: [...after] }];
  return diff(a, b, limits).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, lines: after.slice(fromB, toB) }));
}
