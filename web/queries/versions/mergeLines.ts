import { lineDiff } from './lineDiff.ts';

/** Lines `from` to `to` of the common beginning were replaced by these. */
interface Change {
  from: number;
  to: number;
  lines: string[];
}

/** Both people's changes in one text; null where they changed the same place in different ways. */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  const lines = base.split('\n');
  const [own, other] = [changesOf(lines, mine.split('\n')), changesOf(lines, theirs.split('\n'))];
  const all = [...own, ...other.filter((change) => !own.some((one) => isSame(one, change)))].sort((a, b) => a.from - b.from || a.to - b.to);
  const isDisputed = all.some((change, at) => {
    const next = all[at + 1];
    // Touching is a dispute, too: nobody can say which of the two comes first.
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

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  let open: Change | null = null;
  for (const { kind, text } of lineDiff(before, after)) {
    if (kind === 'same') {
      open = null;
      at++;
      continue;
    }
    if (!open) {
      open = { from: at, to: at, lines: [] };
      changes.push(open);
    }
    if (kind === 'added') open.lines.push(text);
    else open.to = ++at;
  }
  return changes;
}
