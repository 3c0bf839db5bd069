export interface CsvFormat {
  separator: string;
  quote: string;
  /** Escapes the next character; a doubled quote works without it. */
  escapeMark?: string | undefined;
  /** Lines that begin with it are left out. */
  comment?: string | undefined;
}

/** The text is no CSV: a quote is never closed. */
export class CsvFault extends Error {
  override name = 'CsvFault';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const longestRow = 16 * 1024 ** 2;
const literal = (text = '') => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** RFC 4180 and similar formats: takes pieces of text, returns whole rows, and leaves blank lines out. It holds one row in memory. */
export class CsvReader {
  readonly #format: CsvFormat;
  /** The characters that can end a stretch of plain text, outside of quotes and inside. */
  readonly #outside: RegExp;
  readonly #inside: RegExp;
  #rest = '';
  #line = 1;
  #rowLines: number[] = [];

  constructor(format: CsvFormat) {
    this.#format = format;
    const { separator, quote, escapeMark } = format;
    this.#outside = new RegExp([literal(separator), '\\r?\\n', ...(escapeMark ? [literal(escapeMark)] : [])].join('|'), 'g');
    this.#inside = new RegExp(`[${literal(quote)}${literal(escapeMark)}]`, 'g');
  }

  /** The line, from 1, in which each row of the last answer begins. */
  get rowLines(): readonly number[] {
    return this.#rowLines;
  }

  /** Returns the rows that end within this piece. */
  push(piece: string): string[][] {
    return this.#take(this.#rest + piece, false);
  }

  end(): string[][] {
    return this.#take(this.#rest, true);
  }

  #take(text: string, isLast: boolean): string[][] {
    const rows: string[][] = [];
    this.#rowLines = [];
    const { separator, quote, comment, escapeMark } = this.#format;
    let start = 0;
    while (start < text.length) {
      const newLine = text.indexOf('\n', start);
      if (newLine < 0 && !isLast) break;
      const end = newLine < 0 ? text.length : newLine;
      const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
      const isBlank = line === '' || (comment !== undefined && line.startsWith(comment));
      if (!isBlank && (line.includes(quote) || escapeMark)) {
        const row = this.#quotedRow(text, start, isLast);
        if (!row) break;
        rows.push(row.cells);
        this.#rowLines.push(this.#line);
        this.#line += row.next <= end + 1 ? 1 : text.slice(start, row.next).split('\n').length - 1;
        start = row.next;
        continue;
      }
      if (!isBlank) {
        rows.push(line.split(separator));
        this.#rowLines.push(this.#line);
      }
      start = end + 1;
      this.#line++;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > longestRow) throw new CsvFault(this.#line, `Line ${this.#line} is too long; is a quote never closed?`);
    if (isLast && this.#rest !== '') throw new CsvFault(this.#line, `The quote in line ${this.#line} is never closed.`);
    return rows;
  }

  /** Reads a row with quotes, which may span several lines; undefined when its end has not arrived yet. */
  #quotedRow(text: string, start: number, isLast: boolean): { cells: string[]; next: number } | undefined {
    const { quote, escapeMark } = this.#format;
    const cells: string[] = [];
    let cell = '';
    let isQuoted = text[start] === quote;
    for (let from = isQuoted ? start + 1 : start; ; ) {
      const at = isQuoted ? this.#closing(text, from) : find(this.#outside, text, from);
      if (at < 0) return isLast && !isQuoted ? { cells: [...cells, cell + text.slice(from)], next: text.length } : undefined;
      cell = cell === '' ? text.slice(from, at) : cell + text.slice(from, at);
      const mark = text[at];
      if (mark === escapeMark && mark !== quote) {
        if (at + 1 === text.length && !isLast) return undefined;
        cell += text[at + 1] ?? '';
        from = at + 2;
      } else if (isQuoted) {
        // The next character decides whether this one ends the cell.
        if (at + 1 === text.length && !isLast) return undefined;
        isQuoted = text[at + 1] === quote;
        if (isQuoted) cell += quote;
        from = at + (isQuoted ? 2 : 1);
      } else {
        cells.push(cell);
        if (mark === '\n' || mark === '\r') return { cells, next: at + (mark === '\n' ? 1 : 2) };
        from = at + this.#format.separator.length;
        if (from === text.length && !isLast) return undefined;
        cell = '';
        isQuoted = text[from] === quote;
        if (isQuoted) from++;
      }
    }
  }

  #closing(text: string, from: number): number {
    return this.#format.escapeMark ? find(this.#inside, text, from) : text.indexOf(this.#format.quote, from);
  }
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
