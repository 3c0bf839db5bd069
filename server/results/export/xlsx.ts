import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { ahead } from '../../wire/ahead.ts';
import { ByteSink, free } from '../../wire/byte-sink.ts';
import { type Chunk, inflateChunk, type Source } from '../../wire/chunk.ts';
import { constantBytes, writeConstant } from '../../wire/constant-bytes.ts';
import { RowTranscriber } from '../../wire/row-transcriber.ts';
import { cellOpener, RowNumber, xlsxCell } from './xlsx-cells.ts';
import {
  cellStyles,
  maxSheetColumns,
  maxSheetRows,
  sheetHead,
  sheetPath,
  sheetTail,
  workbookParts,
  type XlsxOptions,
  xmlText,
} from './xlsx-parts.ts';
import { type ZipPiece, zip } from './zip.ts';

export type { XlsxOptions } from './xlsx-parts.ts';

/** A sheet's XML stays below what a zip entry without ZIP64 holds. */
const maxSheetBytes = 4_000_000_000;

/** 11.5: the result as a workbook; rows that a sheet cannot hold continue in the next one. Memory use is constant. */
export function xlsx(
  chunks: Source<Chunk>,
  columns: readonly ResultColumn[],
  options: XlsxOptions,
  maxRows = maxSheetRows,
): AsyncGenerator<Uint8Array> {
  return zip(workbook(chunks, columns.slice(0, maxSheetColumns), options, maxRows));
}

async function* workbook(
  chunks: Source<Chunk>,
  columns: readonly ResultColumn[],
  options: XlsxOptions,
  maxRows: number,
): AsyncGenerator<ZipPiece> {
  const row = new RowNumber();
  const [openRow, middleOfRow, closeRow] = [constantBytes('<row r="'), constantBytes('">'), constantBytes('</row>')];
  let sheet = 1; // the sheet that is being handed over
  let heads = 0; // the number of sheets begun so far
  let rows = 0; // rows in this sheet, its header included
  let bytes = 0; // bytes of this sheet that are handed over already
  let ends: number[] = []; // ends of sheets in the piece being written

  const writeHead = (out: ByteSink) => {
    row.set(1);
    out.text(`${sheetHead(columns, ++heads === 1, options)}<row r="1">`);
    for (const [i, { name }] of columns.entries()) {
      out.reserve(128);
      cellOpener(i + 1, row, ` t="inlineStr" s="${cellStyles.header}"><is><t xml:space="preserve">`)(out);
      out.text(`${xmlText(name)}</t></is></c>`);
    }
    out.text('</row>');
  };
  const transcriber = new RowTranscriber(
    columns.map((column) => column.name),
    {
      cells: columns.map((column, i) => xlsxCell(column, i + 1, row)),
      begin: (out) => {
        if (rows === 0) writeHead(out);
        row.set(Math.max(rows, 1) + 1);
        out.reserve(64);
        writeConstant(openRow, out);
        row.write(out);
        writeConstant(middleOfRow, out);
      },
      end: (out) => {
        out.reserve(8);
        writeConstant(closeRow, out);
        rows = Math.max(rows, 1) + 1;
        if (rows < maxRows && bytes + out.length - (ends.at(-1) ?? 0) < maxSheetBytes) return;
        out.text(sheetTail);
        ends.push(out.length);
        rows = 0;
        bytes = 0;
      },
    },
  );

  // One for all pieces: whoever takes a piece is done with it before the next is written, and a fresh one each time kept the collector busy.
  const out = new ByteSink(64 * 1024);
  for await (const stored of ahead(chunks, inflateChunk)) {
    out.length = 0;
    out.reserve(stored.length * 3 + 4096);
    let start = 0;
    ends = [];
    transcriber.write(stored, out);
    free(stored);
    for (const end of ends) {
      yield { name: sheetPath(sheet++), bytes: out.bytes.subarray(start, end) };
      start = end;
    }
    if (start < out.length) yield { name: sheetPath(sheet), bytes: out.bytes.subarray(start, out.length) };
    bytes += out.length - start;
  }
  if (rows > 0 || sheet === 1) {
    out.length = 0;
    if (rows === 0) writeHead(out);
    out.text(sheetTail);
    yield { name: sheetPath(sheet++), bytes: out.written() };
  }
  for (const { name, text } of workbookParts(sheet - 1, options)) yield { name, bytes: Buffer.from(text) };
}
