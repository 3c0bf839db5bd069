import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import { cellReader, plainText } from '../../cellValue.ts';
import type { DisplaySettings } from '../../displaySettings.ts';
import { isMoment } from '../../firstColumn.ts';
import type { Sliced } from '../../table/view/sliced.ts';

/** A column by its distinct texts, with the text's index for each row. Made once, used for every arrangement of the pivot. */
export interface Attribute {
  codes: Uint32Array;
  texts: readonly string[];
}

/** visualizations 12: dates in the organisation's format, booleans as text, everything else raw. */
export function attributePrinter(column: ResultColumn, settings: DisplaySettings): (value: unknown) => string {
  const date = isMoment(column) ? dateFormatter(column.type === 'date' ? settings.dateFormat : settings.dateTimeFormat) : null;
  const [no, yes] = settings.booleanValues ?? ['false', 'true'];
  return (value) => {
    if (value === null || value === undefined) return settings.nullValue;
    if (typeof value === 'boolean') return value ? yes : no;
    const text = date && typeof value !== 'object' ? date(value) : plainText(value);
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  };
}

const longest = 200;
const rowsPerStep = 2000;

export function* encodeAttribute(rows: readonly ResultRow[], column: ResultColumn, settings: DisplaySettings): Sliced<Attribute> {
  const read = cellReader(column.name);
  const print = attributePrinter(column, settings);
  const codes = new Uint32Array(rows.length);
  const byValue = new Map<unknown, number>();
  const byText = new Map<string, number>();
  const texts: string[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    const value = row === undefined ? null : read(row);
    let code = typeof value === 'object' && value !== null ? undefined : byValue.get(value);
    if (code === undefined) {
      const text = print(value);
      code = byText.get(text);
      if (code === undefined) {
        code = texts.length;
        texts.push(text);
        byText.set(text, code);
      }
      if (typeof value !== 'object') byValue.set(value, code);
    }
    codes[at] = code;
    if (at % rowsPerStep === rowsPerStep - 1) yield at / rows.length;
  }
  return { codes, texts };
}
