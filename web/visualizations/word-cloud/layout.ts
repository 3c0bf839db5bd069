import cloud from 'd3-cloud';
import { fontFamily } from '../../theme/tokens.ts';
import type { Word } from './wordCloudModel.ts';

interface PlacedWord extends Word {
  x: number;
  y: number;
}

export interface PlacedCloud {
  words: readonly PlacedWord[];
  /** The bounding box of the words. */
  box: { x: number; y: number; width: number; height: number };
}

/** The approximate width of a letter relative to its height. */
const letter = 0.6;
const fontWeight = 600;
const roominess = 1.7;

/** Places each word, in slices of a few milliseconds. The same words always get the same places. */
export function layoutCloud(words: readonly Word[], aspect: number, onDone: (placed: PlacedCloud) => void): () => void {
  const area = words.reduce((sum, { text, size }) => sum + size * size * letter * text.length, 0) * roominess;
  const longest = Math.max(...words.map(({ text, size }) => size * letter * text.length), 1);
  const side = Math.max(Math.sqrt(area), 100);
  const size: [number, number] = [
    Math.round(Math.min(4000, Math.max(side * Math.sqrt(aspect), longest * 1.1))),
    Math.round(Math.min(4000, Math.max(side / Math.sqrt(aspect), longest * 1.1))),
  ];
  let isWanted = true;
  const layout = cloud<Word & cloud.Word>()
    .words(words.map((word) => ({ ...word })))
    .size(size)
    .font(fontFamily)
    .fontWeight(fontWeight)
    .fontSize(({ size: own }) => own)
    .rotate(({ isUpright }) => (isUpright ? 90 : 0))
    .padding(2)
    .random(() => 0.5)
    .timeInterval(20)
    .on('end', (placed, bounds) => {
      if (isWanted) onDone({ words: placed.map((word) => ({ ...word, x: word.x ?? 0, y: word.y ?? 0 })), box: boxOf(bounds, size) });
    });
  layout.start();
  return () => {
    isWanted = false;
    layout.stop();
  };
}

/** The library counts places from the middle, but its bounds from a corner. */
function boxOf(bounds: readonly { x: number; y: number }[] | null, [width, height]: [number, number]): PlacedCloud['box'] {
  const [from, to] = bounds ?? [];
  if (!from || !to) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: from.x - (width >> 1), y: from.y - (height >> 1), width: to.x - from.x, height: to.y - from.y };
}
