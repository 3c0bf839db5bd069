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

/** What the server wrote instead of more rows. */
export class ServerFault extends Error {}

/**
 * The format JSONCompact, read line by line as it comes: a head with the columns' names and types, a line for each row,
 * a tail. All servers since 2016 write it this way, and unlike formats without a tail it tells a whole answer from a
 * short one, and a failure in the middle from a text that only looks like one. Answers whether there was anything.
 */
export async function readCompact(body: AsyncIterable<Uint8Array>, reader: CompactReader): Promise<boolean> {
  let part: 'head' | 'rows' | 'tail' | 'failure' = 'head';
  /** Of the part that is being read, where it is kept. */
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
  // WITH TOTALS: the last row, as the server's own client shows it.
  if (totals) await reader.rows([totals]);
  return true;
}

const linesText = (lines: string[]) => (lines.length > 0 ? `${lines.join('\n')}\n` : '');
const isRow = (line: string) => line.startsWith('\t\t[') || line === '\t[' || line === '';

const columnsOf = (head: string) => read(Meta, `${head.trimEnd().replace(/,$/, '')}}`).meta;

/** What stands instead of a row, if anything: a failure may begin right behind one, on its line. */
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

/** Newer servers put their failure between marks, older ones just write it. */
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
