import { QueryError } from '../connector.ts';

export interface CsvFormat {
  separator: string;
  quote: string;
  /** Takes the meaning from the character behind it; a doubled quote works without. */
  escape?: string | undefined;
  /** A line that begins with it is left out. */
  comment?: string | undefined;
}

const longestRow = 16 * 1024 ** 2;

/** RFC 4180 and its relatives, text in pieces in, whole rows out; blank lines are left out. Linear time, memory of one row. */
export class CsvReader {
  readonly #format: CsvFormat;
  #rest = '';
  #line = 1;

  constructor(format: CsvFormat) {
    this.#format = format;
  }

  /** The rows that end within this piece. */
  push(piece: string): string[][] {
    return this.#take(this.#rest + piece, false);
  }

  end(): string[][] {
    return this.#take(this.#rest, true);
  }

  #take(text: string, isLast: boolean): string[][] {
    const rows: string[][] = [];
    const { separator, quote, comment } = this.#format;
    let start = 0;
    while (start < text.length) {
      const newLine = text.indexOf('\n', start);
      if (newLine < 0 && !isLast) break;
      const end = newLine < 0 ? text.length : newLine;
      const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
      if (line === '' || (comment && line.startsWith(comment))) {
        start = end + 1;
        this.#line++;
      } else if (!line.includes(quote) && !this.#format.escape) {
        rows.push(line.split(separator));
        start = end + 1;
        this.#line++;
      } else {
        const row = this.#quotedRow(text, start, isLast);
        if (!row) break;
        rows.push(row.cells);
        this.#line += row.lines;
        start = row.next;
      }
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > longestRow) throw new QueryError(`Line ${this.#line} is too long; is a quote never closed?`);
    if (isLast && this.#rest !== '') throw new QueryError(`The quote in line ${this.#line} is never closed.`);
    return rows;
  }

  /** A row with quotes may go on for several lines; undefined when its end has not come yet. */
  #quotedRow(text: string, start: number, isLast: boolean): { cells: string[]; next: number; lines: number } | undefined {
    const { separator, quote, escape } = this.#format;
    const cells: string[] = [];
    let cell = '';
    let isQuoted = false;
    let lines = 1;
    for (let i = start; i < text.length; i++) {
      const char = text[i];
      if (char === '\n') lines += isQuoted ? 1 : 0;
      if (escape && char === escape && escape !== quote) cell += text[++i] ?? '';
      else if (isQuoted) {
        if (char !== quote) cell += char;
        else if (text[i + 1] === quote) cell += text[++i];
        else if (i + 1 === text.length && !isLast) return undefined;
        else isQuoted = false;
      } else if (char === quote && cell === '') isQuoted = true;
      else if (char === '\n' || (char === '\r' && text[i + 1] === '\n'))
        return { cells: [...cells, cell], next: i + (char === '\r' ? 2 : 1), lines };
      else if (text.startsWith(separator, i)) {
        cells.push(cell);
        cell = '';
        i += separator.length - 1;
      } else cell += char;
    }
    return isLast && !isQuoted ? { cells: [...cells, cell], next: text.length, lines } : undefined;
  }
}
