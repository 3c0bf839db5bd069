import type { ResultRow } from '@telltale/domain/results/contract.ts';
import type { Sliced } from './sliced.ts';

const stepsAtOnce = 512;

/** visualizations 4.5: the indexes, in the given order, of the rows in which any of the texts contains the term, whatever its case. */
export function* matchedOrder(
  rows: readonly ResultRow[],
  order: Uint32Array | null,
  texts: readonly ((row: ResultRow) => string)[],
  term: string,
): Sliced<Uint32Array> {
  const wanted = term.toLowerCase();
  const length = order?.length ?? rows.length;
  const found = new Uint32Array(length);
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    if (at % stepsAtOnce === 0) yield at / length;
    const place = order ? (order[at] ?? 0) : at;
    const row = rows[place];
    if (row === undefined || !texts.some((text) => text(row).toLowerCase().includes(wanted))) continue;
    found[count] = place;
    count += 1;
  }
  return found.slice(0, count);
}
