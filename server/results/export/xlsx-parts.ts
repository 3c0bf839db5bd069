import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { type FormatToken, formatTokens } from './date-format.ts';

export interface XlsxOptions {
  /** The organisation's format. */
  date_format: string;
  time_format: string;
}

/** Spreadsheets' own limits. */
export const maxSheetRows = 1_048_576;
export const maxSheetColumns = 16_384;
export const maxCellText = 32_767;

/** Indexes in styles.xml. */
export const cellStyles = { date: 1, datetime: 2, header: 3 } as const;

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageOf = (what: string) => `http://schemas.openxmlformats.org/package/2006/${what}`;
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text for a cell: cut to the limit of a cell, without characters illegal in XML; `_x0041_` is no code for A here. */
export function xmlText(text: string): string {
  const kept = text.length > maxCellText ? `${text.slice(0, maxCellText - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return kept
    .toWellFormed()
    .replace(illegal, '')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>\r]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? '&#13;');
}

/** 1 → A, 27 → AA. */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  return (column > 26 ? columnLetters((column - 1 - rest) / 26) : '') + String.fromCharCode(65 + rest);
}

const excelTokens: Record<FormatToken, string> = { YYYY: 'yyyy', YY: 'yy', MM: 'mm', DD: 'dd', HH: 'hh', mm: 'mm', ss: 'ss', SSS: '000' };
const formatParts = new RegExp(`${formatTokens.join('|')}|[^]`, 'g');

/** The organisation's format as a spreadsheet format; characters that are no token are escaped. */
export const numberFormat = (format: string) =>
  format.replace(formatParts, (part) => excelTokens[part as FormatToken] ?? (/[\s/:.,-]/.test(part) ? part : `\\${part}`));

const attribute = (text: string) => xmlText(text).replaceAll('"', '&quot;');

const sheetName = (sheet: number) => (sheet === 1 ? 'result' : `result ${sheet}`);
export const sheetPath = (sheet: number) => `xl/worksheets/sheet${sheet}.xml`;

/** Date columns are made wide enough for their format: a narrow one would show number signs. */
export function sheetHead(columns: readonly ResultColumn[], isFirst: boolean, { date_format, time_format }: XlsxOptions): string {
  const widths = columns.flatMap(({ type }, i) => {
    if (type !== 'date' && type !== 'datetime') return [];
    const width = date_format.length + (type === 'date' ? 0 : time_format.length + 1) + 3;
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  const view = `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">`;
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const cols = widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '';
  return `${xml}<worksheet xmlns="${main}"><sheetViews>${view}${pane}</sheetView></sheetViews>${cols}<sheetData>`;
}
export const sheetTail = '</sheetData></worksheet>';

/** All parts but the sheets, in an order that leaves the number of sheets open until the end. */
export function workbookParts(sheets: number, { date_format, time_format }: XlsxOptions): { name: string; text: string }[] {
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1);
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const relations = (inside: string) => `${xml}<Relationships xmlns="${packageOf('relationships')}">${inside}</Relationships>`;
  const part = (name: string, type: string) => `<Override PartName="/${name}" ContentType="${contentType}.${type}+xml"/>`;
  const format = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${attribute(numberFormat(code))}"/>`;
  const cell = (format: number, font: number) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  const font = (inside: string) => `<font>${inside}<sz val="11"/><name val="Calibri"/></font>`;
  return [
    {
      name: 'xl/workbook.xml',
      text: `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${numbers
        .map((n) => `<sheet name="${sheetName(n)}" sheetId="${n}" r:id="rId${n}"/>`)
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations(
        numbers.map((n) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`)).join('') +
          relation(`rId${sheets + 1}`, 'styles', 'styles.xml'),
      ),
    },
    {
      name: 'xl/styles.xml',
      text: `${xml}<styleSheet xmlns="${main}"><numFmts count="2">${format(164, date_format)}${format(165, `${date_format} ${time_format}`)}</numFmts>\
<fonts count="2">${font('')}${font('<b/>')}</fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="4">${cell(0, 0)}${cell(164, 0)}${cell(165, 0)}${cell(0, 1)}</cellXfs></styleSheet>`,
    },
    { name: '_rels/.rels', text: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: '[Content_Types].xml',
      text: `${xml}<Types xmlns="${packageOf('content-types')}">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>\
${part('xl/workbook.xml', 'sheet.main')}${part('xl/styles.xml', 'styles')}${numbers.map((n) => part(sheetPath(n), 'worksheet')).join('')}</Types>`,
    },
  ];
}
