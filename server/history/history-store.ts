import { ClickhouseServer } from '../connectors/clickhouse/server.ts';
import { type HistoryAddress, historyAddress } from '../connectors/iot-data/history-address.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { historyTables } from './history-tables.ts';
import type { RowBinary } from './row-binary.ts';

const requestMs = 60_000;

/** Our tables in ClickHouse, as their owner. */
export class HistoryStore {
  readonly address: HistoryAddress;
  readonly #server: ClickhouseServer;
  #hasFractions: boolean | undefined;

  constructor(url: string) {
    this.address = historyAddress(url);
    const { database: _, ...rest } = this.address;
    // The address is the operator's own, so it may be private.
    this.#server = new ClickhouseServer(createOutgoingHttp({ allowPrivate: ['*'] }), {
      ...rest,
      dbname: 'default',
      verify: true,
      timeout: 0,
    });
  }

  /** Makes the tables where they are missing. Servers before 20.1 keep whole seconds in `time`; `micros` has the rest. */
  async prepare(): Promise<void> {
    if (this.#hasFractions !== undefined) return;
    const [major = 0, minor = 0] = (await this.ask('SELECT version() FORMAT TabSeparated')).split('.').map(Number);
    const isOld = major < 20 || (major === 20 && minor < 1);
    for (const statement of historyTables(this.address.database, { hasFractions: !isOld, hasCodecs: major >= 21 }))
      await this.ask(statement);
    this.#hasFractions = !isOld;
  }

  /** A moment as the server reads it in a tab-separated text. */
  moment(micros: number): string {
    const seconds = Math.floor(micros / 1e6);
    return this.#hasFractions ? `${seconds}.${String(micros - seconds * 1e6).padStart(6, '0')}` : String(seconds);
  }

  /** Inserts lines of tab-separated values; resolves when the server has stored them. */
  async insert(table: string, columns: string, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await this.ask(`INSERT INTO ${this.address.database}.${table} (${columns}) FORMAT TabSeparated\n${lines.join('\n')}\n`);
  }

  /** Inserts rows in the format RowBinary; resolves when the server has stored them. */
  async insertRows(table: string, columns: string, rows: RowBinary): Promise<void> {
    if (rows.rows > 0) await this.ask(`INSERT INTO ${this.address.database}.${table} (${columns}) FORMAT RowBinary`, rows.bytes());
  }

  /** Writes a moment of a column `time`. */
  writeMoment(rows: RowBinary, micros: number): void {
    if (this.#hasFractions) rows.int64(micros);
    else rows.uint32(Math.floor(micros / 1e6));
  }

  async ask(statement: string, data?: Uint8Array): Promise<string> {
    const response = await this.#server.send(statement, AbortSignal.timeout(requestMs), {
      settings: [['wait_end_of_query', '1']],
      ...(data && { data }),
    });
    return (await response.text()).trimEnd();
  }

  /** Rows of a small answer. */
  async rows(query: string): Promise<string[][]> {
    const text = await this.ask(`${query} FORMAT TabSeparated`);
    return text === '' ? [] : text.split('\n').map((line) => line.split('\t'));
  }
}

/** A value between tabs. */
export function field(value: string | number | boolean | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  return value.replaceAll(/[\\\t\n\r\0\b\f]/g, (char) => escapes[char] ?? char);
}

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
};
