import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { plainText } from '../cellValue.ts';
import { valueText } from '../columns/valueText.ts';
import type { DisplaySettings } from '../displaySettings.ts';
import type { ResultTable } from '../resultTable.ts';
import { fillTemplate, rowLookup } from '../template.ts';
import type { MapOptions } from './mapOptions.ts';

/** The content of a popup: a title and lines of text, or HTML that still has to be sanitised. */
export type MarkerWords = { html: string } | { title: string; lines: { name: string; value: string }[]; more: number };

const mostLines = 50;
const longest = 300;
const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

type Named = Pick<MapOptions, 'latColName' | 'lonColName'>;
const place = (row: ResultRow, { latColName, lonColName }: Named) =>
  `${cut(plainText(Object.hasOwn(row, latColName) ? row[latColName] : ''))}, ${cut(plainText(Object.hasOwn(row, lonColName) ? row[lonColName] : ''))}`;

/** visualizations 11: the position in bold, then every other column; or a template, if there is one. */
export function popupWords(
  row: ResultRow,
  { columns }: ResultTable,
  options: Named & Pick<MapOptions, 'popup'>,
  settings: DisplaySettings,
): MarkerWords {
  const { latColName, lonColName, popup } = options;
  if (popup.template.trim()) return { html: fillTemplate(popup.template, rowLookup(row, undefined)) };
  const others = columns.filter(({ name }) => name !== latColName && name !== lonColName);
  return {
    title: place(row, options),
    lines: others.slice(0, mostLines).map((column) => ({ name: cut(column.name), value: cut(valueText(row, column, settings)) })),
    more: Math.max(0, others.length - mostLines),
  };
}

export function tooltipWords(row: ResultRow, options: Named & Pick<MapOptions, 'tooltip'>): MarkerWords {
  const { template } = options.tooltip;
  if (template.trim()) return { html: fillTemplate(template, rowLookup(row, undefined)) };
  return { title: place(row, options), lines: [], more: 0 };
}
