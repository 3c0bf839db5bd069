export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Beyond this many differences two texts have nothing to do with each other. */
const mostEdits = 800;

/** What has to be removed and added to make one text of the other, line by line, as little as possible (Myers). */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(before.slice(0, start)),
    ...middleDiff(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function middleDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const trail = shortestTrail(before, after);
  if (!trail) {
    return [...before.map((text): DiffLine => ({ kind: 'removed', text })), ...after.map((text): DiffLine => ({ kind: 'added', text }))];
  }
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reached = trail[edits] ?? new Map<number, number>();
    const k = x - y;
    const isDown = k === -edits || (k !== edits && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const fromK = isDown ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (reached.get(fromK) ?? 0);
    const fromY = fromX - fromK;
    while (x > Math.max(fromX, 0) && y > Math.max(edits === 0 ? 0 : fromY, 0)) {
      x--;
      y--;
      lines.push({ kind: 'same', text: before[x] ?? '' });
    }
    if (edits === 0) break;
    if (isDown) lines.push({ kind: 'added', text: after[--y] ?? '' });
    else lines.push({ kind: 'removed', text: before[--x] ?? '' });
  }
  return lines.reverse();
}

/** For each number of edits, how far each diagonal was reached before it; null when there are too many. */
function shortestTrail(before: readonly string[], after: readonly string[]): Map<number, number>[] | null {
  const reached = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(mostEdits, before.length + after.length); edits++) {
    trail.push(new Map(reached));
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = k === -edits || (k !== edits && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
      let x = isDown ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      reached.set(k, x);
      if (x >= before.length && x - k >= after.length) return trail;
    }
  }
  return null;
}
