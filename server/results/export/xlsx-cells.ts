import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { isExactNumber } from '@telltale/domain/results/numbers.ts';
import type { ByteSink } from '../../wire/byte-sink.ts';
import { constantBytes, writeConstant } from '../../wire/constant-bytes.ts';
import type { CellWriter } from '../../wire/row-transcriber.ts';
import { endOfNested, endOfNumber, endOfText, storedText, valueKind } from '../../wire/stored-values.ts';
import { newDateParts, readDateParts } from './date-parts.ts';
import { daySerials, writeSerial } from './date-serial.ts';
import { cellStyles, columnLetters, maxCellText, xmlText } from './xlsx-parts.ts';

const quote = 0x22;
const closeNumber = constantBytes('</v></c>');
const closeText = constantBytes('</t></is></c>');

/** Bytes that a cell contains unchanged; an underscore may begin a code, 0xef an illegal character. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && !'"\\&<>'.includes(String.fromCharCode(byte)) && byte !== 0xef),
);
const [space, underscore, letterX] = [0x20, 0x5f, 0x78];

/** The number of the current row, as the one word that its digits fill. */
export class RowNumber {
  readonly #view = new DataView(new ArrayBuffer(8));
  #word = 0;
  #length = 0;

  set(row: number): void {
    this.#length = row < 10 ? 1 : row < 100 ? 2 : row < 1000 ? 3 : row < 10_000 ? 4 : row < 100_000 ? 5 : row < 1_000_000 ? 6 : 7;
    let rest = row;
    for (let at = this.#length - 1; at >= 0; at--) {
      this.#view.setUint8(at, 0x30 + (rest % 10));
      rest = (rest / 10) | 0;
    }
    this.#word = this.#view.getFloat64(0, true);
  }

  write(out: ByteSink): void {
    out.view.setFloat64(out.length, this.#word, true);
    out.length += this.#length;
  }
}

/** `<c r="B7"…>`: the place and the type of the cell. */
export function cellOpener(column: number, row: RowNumber, rest: string): (out: ByteSink) => void {
  const before = constantBytes(`<c r="${columnLetters(column)}`);
  const after = constantBytes(`"${rest}`);
  return (out) => {
    writeConstant(before, out);
    row.write(out);
    writeConstant(after, out);
  };
}

/** Typed cells: text is never a formula and -5 stays a number (W15); null is no cell at all. */
export function xlsxCell(column: ResultColumn, number: number, row: RowNumber): CellWriter {
  const openNumber = cellOpener(number, row, '><v>');
  const openText = cellOpener(number, row, ' t="inlineStr"><is><t>');
  const openSpacedText = cellOpener(number, row, ' t="inlineStr"><is><t xml:space="preserve">');
  const openBoolean = cellOpener(number, row, ' t="b"><v>');
  const openDate = cellOpener(number, row, ` s="${column.type === 'date' ? cellStyles.date : cellStyles.datetime}"><v>`);
  const isDate = column.type === 'date' || column.type === 'datetime';
  const parts = newDateParts();
  const daySerial = daySerials();

  const writeText = (text: string, out: ByteSink) => {
    openSpacedText(out);
    out.text(xmlText(text));
    out.reserve(64);
    writeConstant(closeText, out);
  };
  const text: CellWriter = (src, at, out) => {
    const from = src.bytes;
    const start = out.length;
    openText(out);
    const to = out.bytes;
    let p = out.length;
    let end = at + 1;
    let previous = 0;
    for (
      let byte = from[end] as number;
      isPlain[byte] === 1 && !(byte === letterX && previous === underscore);
      byte = from[++end] as number
    ) {
      to[p++] = byte;
      previous = byte;
    }
    if (from[end] !== quote || from[at + 1] === space || previous === space || end - at - 1 > maxCellText) {
      out.length = start;
      end = endOfText(from, at);
      writeText(storedText(from, at, end), out);
      return end + 1;
    }
    out.length = p;
    writeConstant(closeText, out);
    return end + 1;
  };

  return (src, at, out) => {
    const from = src.bytes;
    const first = from[at] as number;
    if (first === quote) {
      const end = isDate ? endOfText(from, at) : 0;
      const serial = isDate && readDateParts(from, at + 1, end, parts) ? daySerial(parts) : -1;
      if (serial < 0) return text(src, at, out);
      openDate(out);
      writeSerial(serial, parts, column.type === 'date', out);
      writeConstant(closeNumber, out);
      return end + 1;
    }
    if (valueKind.isNumber(first)) {
      const end = endOfNumber(from, at);
      if (end - at > 15 && column.type === null && !isExactNumber(from.toString('latin1', at, end))) {
        writeText(from.toString('latin1', at, end), out);
        return end;
      }
      openNumber(out);
      out.copy(from, at, end);
      writeConstant(closeNumber, out);
      return end;
    }
    if (valueKind.isNull(first)) return at + 4;
    if (valueKind.isNested(first)) {
      const end = endOfNested(from, at);
      writeText(from.toString('utf8', at, end), out);
      return end;
    }
    if (!valueKind.isTrue(first) && !valueKind.isFalse(first)) return at;
    openBoolean(out);
    out.byte(valueKind.isTrue(first) ? 0x31 : 0x30);
    writeConstant(closeNumber, out);
    return at + (valueKind.isTrue(first) ? 4 : 5);
  };
}
