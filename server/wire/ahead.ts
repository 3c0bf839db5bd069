import type { Source } from './chunk.ts';

/** Works on the next items while the current one is used; results keep their order, memory stays bounded. */
export async function* ahead<T, R>(source: Source<T>, work: (item: T) => Promise<R>, depth = 2): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of source) {
    const result = work(item);
    result.catch(() => {}); // reported when its turn comes, or not at all when the reader has left
    running.push(result);
    const first = running.length > depth ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}
