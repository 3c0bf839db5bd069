import { resultColumns, typeInference } from '@telltale/domain/results/columns.ts';
import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import type { Chunk } from '../wire/chunk.ts';
import { ChunkWriter, type ChunkWriterOptions, type ResultSize } from '../wire/chunk-writer.ts';
import { rowSerializer } from '../wire/row-serializer.ts';
import type { Encode } from '../wire/values.ts';

export interface SinkColumn {
  name: string;
  /** Null when the source does not declare it: the values then determine the type (Q3), unless they have an encoder (JSON, arrays). */
  type: ColumnType;
  encode?: Encode | undefined;
}

/** Takes the rows of a connector and writes them as compressed chunks of the stored format. */
export class Sink {
  readonly writer: ChunkWriter;
  readonly log: string[] = [];
  /** The scanned bytes, for sources that bill by them. */
  dataScanned: number | undefined;
  #columns: ResultColumn[] = [];
  #serialize: ((values: readonly unknown[]) => string) | undefined;
  #inference: ReturnType<typeof typeInference> | undefined;

  constructor(store: (chunk: Chunk) => Promise<void> | void, options: ChunkWriterOptions = {}) {
    this.writer = new ChunkWriter(store, options);
  }

  /** Call it once, before the first row. Equal names are made unique; it returns the columns with their stored names. */
  columns(columns: readonly SinkColumn[]): ResultColumn[] {
    this.#columns = resultColumns(columns);
    this.#serialize = rowSerializer(
      this.#columns.map(({ name }) => name),
      columns.map(({ encode }) => encode),
    );
    const isLearned = ({ type, encode }: SinkColumn) => type === null && encode === undefined;
    this.#inference = columns.some(isLearned)
      ? typeInference(this.#columns, (i) => columns[i] !== undefined && isLearned(columns[i]))
      : undefined;
    return this.#columns;
  }

  get hasColumns(): boolean {
    return this.#serialize !== undefined;
  }

  /** Takes values in column order; false asks to wait for `ready()` before the next row. */
  row(values: readonly unknown[]): boolean {
    if (!this.#serialize) throw new Error('The columns come before the rows.');
    this.#inference?.see(values);
    return this.writer.push(this.#serialize(values));
  }

  ready(): Promise<void> {
    return this.writer.ready();
  }

  async finish(): Promise<{ columns: ResultColumn[]; size: ResultSize; log: string[]; data_scanned: number | undefined }> {
    const size = await this.writer.finish();
    return { columns: this.#inference?.columns() ?? this.#columns, size, log: this.log, data_scanned: this.dataScanned };
  }
}
