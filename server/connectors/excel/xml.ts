import { SaxesParser } from 'saxes';
import { QueryError } from '../connector.ts';

export interface XmlHandler {
  /** Names have no prefix. */
  open?(name: string, attributes: (key: string) => string | undefined): void;
  close?(name: string): void;
  text?(text: string): void;
}

const bareName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Reads XML in pieces. Document types are refused, because they can define growing entities. */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  afterPiece?: () => Promise<boolean | undefined>,
): Promise<void> {
  const parser = new SaxesParser();
  const refuse = () => {
    throw new QueryError('This workbook holds a part that cannot be read.');
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name, attributes }) => handler.open?.(bareName(name), (key) => attributes[key]));
  parser.on('closetag', ({ name }) => handler.close?.(bareName(name)));
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    parser.write(decoder.decode(piece, { stream: true }));
    if ((await afterPiece?.()) === false) return;
  }
  parser.write(decoder.decode()).close();
}
