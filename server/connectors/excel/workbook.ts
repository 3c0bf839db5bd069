import { QueryError } from '../connector.ts';
import { dateOf, type NumberKind, numberKind } from './number-format.ts';
import { readXml } from './xml.ts';
import { Zip, type ZipLimits } from './zip.ts';

interface Sheet {
  name: string;
  path: string;
}

const errorCell = null;
const mostStrings = 5_000_000;

/** An .xlsx file: sheets by name, rows in order. */
export class Workbook {
  readonly sheets: readonly Sheet[];
  readonly #zip: Zip;
  readonly #is1904: boolean;
  #strings: string[] = [];
  #kinds: NumberKind[] = [];

  private constructor(zip: Zip, sheets: Sheet[], is1904: boolean) {
    this.#zip = zip;
    this.sheets = sheets;
    this.#is1904 = is1904;
  }

  static async open(bytes: Buffer, limits?: Partial<ZipLimits>): Promise<Workbook> {
    if (bytes.length > 8 && bytes.readUInt32BE(0) === 0xd0cf11e0)
      throw new QueryError('This is an old (.xls) or a password-protected workbook; save it as .xlsx without a password.');
    const zip = new Zip(bytes, limits);
    const targets = new Map<string, string>();
    await readXml(zip.read('xl/_rels/workbook.xml.rels'), {
      open: (name, attribute) => {
        if (name === 'Relationship') targets.set(attribute('Id') ?? '', attribute('Target') ?? '');
      },
    });
    const sheets: Sheet[] = [];
    let is1904 = false;
    await readXml(zip.read('xl/workbook.xml'), {
      open: (name, attribute) => {
        if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '');
        const target = name === 'sheet' ? targets.get(attribute('r:id') ?? attribute('id') ?? '') : undefined;
        if (target !== undefined)
          sheets.push({ name: attribute('name') ?? '', path: target.startsWith('/') ? target.slice(1) : `xl/${target}` });
      },
    });
    const workbook = new Workbook(zip, sheets, is1904);
    await workbook.#readStrings();
    await workbook.#readStyles();
    return workbook;
  }

  /** Calls back with whole rows, in batches; false stops the reading. Missing cells are undefined. */
  async readRows({ path }: Sheet, onRows: (rows: unknown[][]) => Promise<boolean>): Promise<void> {
    let rows: unknown[][] = [];
    let row: unknown[] = [];
    let place = -1;
    let type = '';
    let style = 0;
    let value = '';
    let isValue = false;
    let isPhonetic = false;
    await readXml(
      this.#zip.read(path),
      {
        open: (name, attribute) => {
          if (name === 'row') {
            row = [];
            place = -1;
          } else if (name === 'c') {
            const reference = attribute('r');
            place = reference === undefined ? place + 1 : placeOf(reference);
            type = attribute('t') ?? 'n';
            style = Number(attribute('s') ?? 0);
            value = '';
          } else if (name === 'v' || name === 't') isValue = !isPhonetic;
          else if (name === 'rPh') isPhonetic = true;
        },
        text: (text) => {
          if (isValue) value += text;
        },
        close: (name) => {
          if (name === 'v' || name === 't') isValue = false;
          else if (name === 'rPh') isPhonetic = false;
          else if (name === 'c') row[place] = this.#cell(type, style, value);
          else if (name === 'row') rows.push(row);
        },
      },
      async () => {
        const batch = rows;
        rows = [];
        return onRows(batch);
      },
    );
    await onRows(rows);
  }

  #cell(type: string, style: number, value: string): unknown {
    if (type === 's') return this.#strings[Number(value)] ?? null;
    if (type === 'inlineStr' || type === 'str' || type === 'd') return unescaped(value);
    if (type === 'b') return value === '1' || value === 'true';
    if (type === 'e') return errorCell;
    // A cell with nothing but a style counts as missing.
    if (value === '') return undefined;
    const number = Number(value);
    return Number.isFinite(number) ? dateOf(number, this.#kinds[style] ?? 'number', this.#is1904) : value;
  }

  async #readStrings(): Promise<void> {
    if (!this.#zip.has('xl/sharedStrings.xml')) return;
    let text = '';
    let isText = false;
    let isPhonetic = false;
    await readXml(this.#zip.read('xl/sharedStrings.xml'), {
      open: (name) => {
        if (name === 'si') text = '';
        else if (name === 't') isText = !isPhonetic;
        else if (name === 'rPh') isPhonetic = true;
      },
      text: (piece) => {
        if (isText) text += piece;
      },
      close: (name) => {
        if (name === 't') isText = false;
        else if (name === 'rPh') isPhonetic = false;
        else if (name === 'si' && this.#strings.push(unescaped(text)) > mostStrings)
          throw new QueryError('This workbook has too many different texts.');
      },
    });
  }

  async #readStyles(): Promise<void> {
    if (!this.#zip.has('xl/styles.xml')) return;
    const codes = new Map<number, string>();
    let isCell = false;
    await readXml(this.#zip.read('xl/styles.xml'), {
      open: (name, attribute) => {
        if (name === 'numFmt') codes.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
        else if (name === 'cellXfs') isCell = true;
        else if (name === 'xf' && isCell) {
          const id = Number(attribute('numFmtId') ?? 0);
          this.#kinds.push(numberKind(id, codes.get(id)));
        }
      },
      close: (name) => {
        if (name === 'cellXfs') isCell = false;
      },
    });
  }
}

/** Returns the column of a reference: `AB12` is in column 27, counted from 0. */
function placeOf(reference: string): number {
  let place = 0;
  for (const char of reference) {
    const code = char.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    place = place * 26 + code;
  }
  if (place < 1 || place > 16_384) throw new QueryError('This workbook holds a part that cannot be read.');
  return place - 1;
}

/** Decodes characters that XML cannot contain. */
const unescaped = (text: string) =>
  text.includes('_x') ? text.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) : text;
