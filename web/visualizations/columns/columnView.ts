import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { cellReader, plainText } from '../cellValue.ts';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import { htmlText } from '../html/htmlText.ts';
import { safeImageUrl, safeLinkUrl } from '../html/safeUrl.ts';
import { fillTemplate, rowLookup } from '../template.ts';
import type { ColumnOptions } from './columnOptions.ts';

/** A column ready to print: its formats are compiled once, and the rows are not changed. */
export interface ColumnView extends ColumnOptions {
  read: (row: ResultRow) => unknown;
  /** The text of the cell; empty for nothing (complaint 42). */
  text: (row: ResultRow) => string;
  /** The organisation's text for null. */
  nullText: string;
  /** Longer JSON stays text. */
  maxJsonSize: number;
}

export function columnView(options: ColumnOptions, settings: DisplaySettings): ColumnView {
  const read = cellReader(options.name);
  const { nullValue: nullText, tableCellMaxJSONSize: maxJsonSize } = settings;
  return { ...options, read, text: textOf(options, read, settings), nullText, maxJsonSize };
}

function textOf(options: ColumnOptions, read: ColumnView['read'], settings: DisplaySettings): ColumnView['text'] {
  switch (options.displayAs) {
    case 'number':
      return printed(read, numberFormatter(options.numberFormat ?? '', separatorsOf(settings)));
    case 'datetime':
      return printed(read, dateFormatter(options.dateTimeFormat ?? ''));
    case 'boolean':
      return (row) => {
        const value = read(row);
        return value === null || value === undefined ? '' : options.booleanValues[value ? 1 : 0];
      };
    case 'link':
      return (row) => linkOf(options, read(row), row).text;
    case 'image':
      return (row) => imageOf(options, read(row), row).title;
    case 'string':
      return options.allowHTML ? (row) => htmlText(plainText(read(row))) : (row) => plainText(read(row));
    case 'json':
      return (row) => plainText(read(row));
  }
}

const printed =
  (read: ColumnView['read'], format: (value: unknown) => string): ColumnView['text'] =>
  (row) => {
    const value = read(row);
    return typeof value === 'object' ? plainText(value) : format(value);
  };

export interface CellLink {
  /** Undefined where the address is blank or unsafe. */
  href: string | undefined;
  text: string;
  title: string;
  isNewTab: boolean;
}

/** visualizations 4.7: `@` is this column; with a blank text the address is shown. */
export function linkOf(options: ColumnOptions, value: unknown, row: ResultRow): CellLink {
  const lookup = rowLookup(row, value);
  const url = fillTemplate(options.linkUrlTemplate, lookup).trim();
  const text = fillTemplate(options.linkTextTemplate, lookup).trim();
  const title = fillTemplate(options.linkTitleTemplate, lookup).trim();
  return { href: safeLinkUrl(url), text: text || url, title, isNewTab: options.linkOpenInNewTab };
}

export interface CellImage {
  /** Undefined without a picture. */
  src: string | undefined;
  title: string;
  width: number | undefined;
  height: number | undefined;
}

export function imageOf(options: ColumnOptions, value: unknown, row: ResultRow): CellImage {
  const lookup = rowLookup(row, value);
  return {
    src: safeImageUrl(fillTemplate(options.imageUrlTemplate, lookup)),
    title: fillTemplate(options.imageTitleTemplate, lookup).trim(),
    width: pixels(fillTemplate(options.imageWidth, lookup)),
    height: pixels(fillTemplate(options.imageHeight, lookup)),
  };
}

/** A larger size than any screen is a mistake. */
const mostPixels = 4000;

function pixels(text: string): number | undefined {
  const size = Number.parseInt(text, 10);
  return size > 0 ? Math.min(size, mostPixels) : undefined;
}

/** A link or picture that uses this column is empty where the column is empty. */
export function isNothing(options: ColumnOptions, value: unknown): boolean {
  if (value !== null && value !== undefined) return false;
  if (options.displayAs === 'link') return /\{\{\s*@\s*\}\}/.test(options.linkUrlTemplate);
  if (options.displayAs === 'image') return /\{\{\s*@\s*\}\}/.test(options.imageUrlTemplate);
  return true;
}
