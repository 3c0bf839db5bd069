/** What differs stands mostly at the beginning or at the end of a name: the middle goes. */
export function middleCut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  if (most < 3) return letters.slice(0, Math.max(1, most)).join('');
  const end = Math.floor((most - 1) / 2);
  return `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(letters.length - end).join('')}`;
}

interface LabelFit {
  /** Letters that a label may have. */
  most: number;
  /** Degrees; 0 lies flat. */
  tilt: number;
}

const letterPx = 6.6;
const [fewestFlat, tilt] = [10, 40];

/** Flat where each label has room, shortened where a shortened one is still read, else tilted; what then overlaps is left out. */
export function fitLabels(labels: readonly string[], widthPx: number, heightPx: number): LabelFit {
  const room = Math.floor((widthPx / Math.max(1, labels.length) - 8) / letterPx);
  const longest = labels.reduce((most, { length }) => Math.max(most, length), 0);
  if (longest <= Math.max(0, room)) return { most: longest, tilt: 0 };
  if (room >= fewestFlat && areApart(labels, room)) return { most: room, tilt: 0 };
  // A third of the height at most; the sine of the tilt tells how high a letter reaches.
  const high = Math.floor((heightPx * 0.3) / (letterPx * Math.sin((tilt * Math.PI) / 180)));
  return { most: Math.max(6, Math.min(24, high, longest)), tilt };
}

const areApart = (labels: readonly string[], most: number): boolean =>
  new Set(labels.map((label) => middleCut(label, most))).size === new Set(labels).size;
