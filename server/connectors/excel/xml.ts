import { QueryError } from '../connector.ts';

export interface XmlHandler {
  /** Names come without their prefix. */
  open?(name: string, attributes: (key: string) => string | undefined): void;
  close?(name: string): void;
  text?(text: string): void;
}

const longestMarkup = 1024 ** 2;
const tagMark = /[>"']/g;
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * The little XML that workbooks are made of, read as it comes: tags, attributes, text, CDATA. A document type, the home
 * of entities that grow, is refused.
 */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  afterPiece?: () => Promise<boolean | undefined>,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    rest = take(rest + decoder.decode(piece, { stream: true }), handler);
    if (rest.length > longestMarkup) throw new QueryError('This workbook holds a part that cannot be read.');
    if ((await afterPiece?.()) === false) return;
  }
  take(rest + decoder.decode(), handler);
}

/** Takes what is whole and gives back the rest. */
function take(text: string, handler: XmlHandler): string {
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    if (open < 0) break;
    if (open > at) handler.text?.(decoded(text.slice(at, open)));
    at = open;
    const end = endOfMarkup(text, open);
    if (end < 0) break;
    markup(text.slice(open + 1, end - 1), handler);
    at = end;
  }
  return text.slice(at);
}

function endOfMarkup(text: string, open: number): number {
  const [start, mark] = text.startsWith('<!--', open) ? [4, '-->'] : text.startsWith('<![CDATA[', open) ? [9, ']]>'] : [1, '>'];
  // What begins like one of the long marks may yet become one.
  if (mark === '>' && text.length - open < 9 && '<![CDATA['.startsWith(text.slice(open))) return -1;
  const end = mark === '>' ? endOfTag(text, open) : text.indexOf(mark, open + start);
  return end < 0 ? -1 : end + mark.length;
}

/** An attribute may hold the very mark that ends its tag. */
function endOfTag(text: string, open: number): number {
  for (let at = open; ; ) {
    tagMark.lastIndex = at;
    const found = tagMark.exec(text);
    if (!found || found[0] === '>') return found?.index ?? -1;
    const closing = text.indexOf(found[0], found.index + 1);
    if (closing < 0) return -1;
    at = closing + 1;
  }
}

function markup(inner: string, handler: XmlHandler): void {
  if (inner.startsWith('![CDATA[')) handler.text?.(inner.slice(8, -2));
  else if (/^!doctype/i.test(inner)) throw new QueryError('This workbook holds a part that cannot be read.');
  else if (inner.startsWith('/')) handler.close?.(bareName(inner.slice(1).trimEnd()));
  else if (!inner.startsWith('?') && !inner.startsWith('!')) {
    const isEmpty = inner.endsWith('/');
    const nameEnd = inner.search(/[\s/]|$/);
    const name = bareName(inner.slice(0, nameEnd));
    handler.open?.(name, (key) => attributeOf(inner, nameEnd, key));
    if (isEmpty) handler.close?.(name);
  }
}

const bareName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Looked for only when asked: most cells have attributes nobody needs. */
function attributeOf(inner: string, from: number, key: string): string | undefined {
  for (let at = inner.indexOf(`${key}=`, from); at >= 0; at = inner.indexOf(`${key}=`, at + 1)) {
    if (!/\s/.test(inner[at - 1] ?? '')) continue;
    const quote = inner[at + key.length + 1] ?? '';
    const end = inner.indexOf(quote, at + key.length + 2);
    return quote !== '"' && quote !== "'" ? undefined : decoded(inner.slice(at + key.length + 2, end < 0 ? undefined : end));
  }
  return undefined;
}

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, (all, decimal, hex, name) => entityOf(all, decimal, hex, name))
    : text;

function entityOf(all: string, decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
  if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? all) : all;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : all;
}
