import { z } from 'zod';
import { QueryError } from '../connector.ts';
import { parseExactJson } from '../http/exact-json.ts';
import { linesOf } from '../http/lines.ts';

const Meta = z.object({ meta: z.array(z.object({ name: z.string(), type: z.string() })) });
export type MetaColumn = z.output<typeof Meta>['meta'][number];
const Tail = z.object({ exception: z.string().optional(), totals: z.array(z.unknown()).optional() });

export interface CompactReader {
  columns(columns: MetaColumn[]): void;
  rows(rows: unknown[][]): Promise<void>;
}

/** An error that the server wrote instead of further rows. */
export class ServerFault extends Error {}

/**
 * Reads the format JSONCompact line by line as it arrives: a head with the names and types of the columns, a line for each row, a tail. All
 * servers since 2016 write it this way. Unlike formats without a tail it distinguishes a complete answer from a cut one, and an error in
 * the middle from a text that looks like one. Returns whether there was any content.
 */
export async function readCompact(body: AsyncIterable<Uint8Array>, reader: CompactReader): Promise<boolean> {
  let part: 'head' | 'rows' | 'tail' | 'failure' = 'head';
  /** The text of the current part, for parts that are collected. */
  let text = '';
  for await (const lines of linesOf(body)) {
    let from = 0;
    if (part === 'head') {
      const data = lines.indexOf('\t"data":');
      text += linesText(lines.slice(0, data < 0 ? undefined : data));
      if (!/^\s*(?:\{|$)/.test(text)) part = 'failure';
      if (data < 0) continue;
      reader.columns(columnsOf(text));
      part = 'rows';
      text = '';
      from = data + 1;
    }
    if (part === 'rows') {
      const end = lines.findIndex((line, i) => i >= from && !isRow(line));
      const rows = lines.slice(from, end < 0 ? undefined : end);
      const fault = await takeRows(rows, reader);
      if (fault === undefined && end < 0) continue;
      part = fault === undefined && /^\t\],?$/.test(lines[end] ?? '') ? 'tail' : 'failure';
      if (fault !== undefined) text = fault + (end < 0 ? '' : '\n');
      from = end < 0 ? lines.length : end + (part === 'tail' ? 1 : 0);
    }
    text += linesText(lines.slice(from));
  }
  if (part === 'head' && text.trim() === '') return false;
  if (part === 'failure') throw failureOf(text);
  if (part !== 'tail') throw new QueryError('The connection was lost before the answer was complete.');
  const { exception, totals } = read(Tail, `{"end":0${text.trim() === '}' ? '' : ','}${text}`);
  if (exception !== undefined) throw new ServerFault(exception);
  // WITH TOTALS: the totals become the last row, as in the server's own client.
  if (totals) await reader.rows([totals]);
  return true;
}

const linesText = (lines: string[]) => (lines.length > 0 ? `${lines.join('\n')}\n` : '');
const isRow = (line: string) => line.startsWith('\t\t[') || line === '\t[' || line === '';

const columnsOf = (head: string) => read(Meta, `${head.trimEnd().replace(/,$/, '')}}`).meta;

/** Returns the text that is not a row, if any: an error may begin right after a row, on the same line. */
async function takeRows(lines: string[], reader: CompactReader): Promise<string | undefined> {
  const rows = lines.filter((line) => line.startsWith('\t\t['));
  if (rows.length === 0) return undefined;
  let parsed: unknown;
  try {
    parsed = parseExactJson(`[${rows.join('\n').replace(/,$/, '')}]`);
  } catch {
    return rows.join('\n');
  }
  await reader.rows(parsed as unknown[][]);
  return undefined;
}

/** Newer servers put their error between marks, older ones write it without. */
function failureOf(text: string): Error {
  const at = text.search(/Code: \d+[.,] .*DB::\w*Exception|Poco::Exception\. Code/);
  if (at >= 0) return new ServerFault(text.slice(at).replace(/\s+\d+ \w+\s+__exception__\s*$/, ''));
  return new QueryError('The answer is not in the format that was asked for; leave the FORMAT clause out.');
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(parseExactJson(text));
  } catch (cause) {
    throw new QueryError('The answer of the server cannot be read.', {}, cause);
  }
}
