import type { Source } from './chunk.ts';

/** Everything a source yields, for sources known to be small. */
export async function collect<T>(source: Source<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
