import { setImmediate } from 'node:timers/promises';
import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { ByteSink } from '../../wire/byte-sink.ts';
import type { Chunk, Source } from '../../wire/chunk.ts';
import { RowTranscriber } from '../../wire/row-transcriber.ts';
import { type CsvOptions, csvCell, textField } from './csv-cells.ts';
import { QuickCsv } from './quick/quick-csv.ts';

export type { CsvOptions } from './csv-cells.ts';

/** server-behaviour 11.4: UTF-8 without a byte order mark, CRLF, header, only the listed columns in their order. */
export async function* csv(chunks: Source<Chunk>, columns: readonly ResultColumn[], options: CsvOptions): AsyncGenerator<Uint8Array> {
  const { delimiter = ',' } = options;
  const rows = new QuickCsv(columns, options, rowsByHand(columns, options));
  yield Buffer.from(`${columns.map((column) => textField(column.name, options)).join(delimiter)}\r\n`);
  for await (const chunk of chunks) {
    const out = new ByteSink(chunk.length + 1024);
    await rows.write(chunk, out);
    yield out.written();
    await setImmediate(); // lets other requests run
  }
}

/** The transcriber in JavaScript, which handles any row. */
export const rowsByHand = (columns: readonly ResultColumn[], options: CsvOptions): RowTranscriber =>
  new RowTranscriber(
    columns.map((column) => column.name),
    csvRow(columns, options),
  );

function csvRow(columns: readonly ResultColumn[], options: CsvOptions) {
  let start = 0;
  return {
    cells: columns.map((column) => csvCell(column, options)),
    separator: (options.delimiter ?? ',').charCodeAt(0),
    begin: (out: ByteSink) => {
      start = out.length;
    },
    end: (out: ByteSink) => {
      if (columns.length === 1 && out.length === start) out.text('""'); // an empty line would be no row
      out.byte(0x0d);
      out.byte(0x0a);
    },
  };
}
