import { QueryError } from '../connector.ts';

/** Splits a body into lines without their line ends; the last line may lack one. */
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
