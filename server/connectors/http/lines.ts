import { QueryError } from '../connector.ts';

/** A body as lines without their ends; the last one may have none. */
export async function* linesOf(body: AsyncIterable<Uint8Array>, longest = 64 * 1024 ** 2): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (rest.length > longest) throw new QueryError('The answer of the server has a line that is too long.');
    if (end > 0) yield text.slice(0, end - 1).split('\n');
  }
  rest += decoder.decode();
  if (rest !== '') yield [rest];
}
