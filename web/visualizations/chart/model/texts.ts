import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { plainText } from '../../cellValue.ts';
import { type DisplaySettings, separatorsOf } from '../../displaySettings.ts';
import { safeLinkUrl } from '../../html/safeUrl.ts';
import { fillTemplate, type Lookup } from '../../template.ts';
import type { ChartOptions } from '../chartOptions.ts';
import type { ScaleType } from './values.ts';

/** The texts of a chart (visualizations 5.9). */
export interface Texts {
  number: (value: unknown) => string;
  percent: (value: unknown) => string;
  moment: (value: unknown) => string;
  /** A raw value: a moment if its column has moments, a number if it is one, else its text. */
  raw: (value: unknown, isMoment: boolean) => string;
  /** The text of a place on an axis. */
  place: (place: number, scale: { type: ScaleType; categories: readonly unknown[] }, isMoment: boolean) => string;
}

export type TextOptions = Pick<ChartOptions, 'numberFormat' | 'percentFormat' | 'dateTimeFormat' | 'textFormat'>;

const longest = 200;
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

export function textsOf(options: TextOptions, settings: DisplaySettings): Texts {
  const separators = separatorsOf(settings);
  const number = numberFormatter(options.numberFormat, separators);
  const percent = numberFormatter(options.percentFormat, separators);
  const moment = dateFormatter(options.dateTimeFormat);
  const raw = (value: unknown, isMoment: boolean): string => {
    if (value === null || value === undefined) return settings.nullValue;
    if (isMoment) return cut(moment(value));
    if (typeof value === 'boolean') return settings.booleanValues?.[value ? 1 : 0] ?? String(value);
    return cut(typeof value === 'number' ? number(value) : plainText(value));
  };
  return {
    number,
    percent,
    moment,
    raw,
    place: (place, { type, categories }, isMoment) => {
      if (type === 'category') return raw(categories[place], isMoment);
      return type === 'time' ? moment(place) : number(place);
    },
  };
}

export const isMomentColumn = (columns: readonly ResultColumn[], name: string | undefined): boolean => {
  const type = columns.find((column) => column.name === name)?.type;
  return type === 'date' || type === 'datetime';
};

/** The values of a point that a template may use. */
export interface PointFacts {
  name: string;
  x: string;
  y: string;
  percent?: string | undefined;
  error?: string | undefined;
  size?: string | undefined;
  row: ResultRow | undefined;
}

/** visualizations 5.9, without a template: `10`, `10 ± 0`, `20% (10 ± 0)`, `10 ± 0: 51`. */
export function autoText({ y, percent, error, size }: PointFacts): string {
  const base = error === undefined ? y : `${y} ± ${error}`;
  const withPercent = percent === undefined ? base : `${percent} (${base})`;
  return size === undefined ? withPercent : `${withPercent}: ${size}`;
}

export function pointText(textFormat: string, facts: PointFacts): string {
  return textFormat.trim() === '' ? autoText(facts) : fillTemplate(textFormat, lookupOf(facts));
}

function lookupOf({ name, x, y, percent = '', error = '', size = '', row }: PointFacts): Lookup {
  const own: Readonly<Record<string, string>> = {
    '@@name': name,
    '@@x': x,
    '@@y': y,
    '@@yPercent': percent,
    '@@yError': error,
    '@@size': size,
  };
  return (key) => {
    if (key.startsWith('@@')) return Object.hasOwn(own, key) ? own[key] : undefined;
    return row && Object.hasOwn(row, key) ? (row[key] ?? '') : undefined;
  };
}

export const mentions = (textFormat: string, name: '@@x' | '@@name'): boolean =>
  new RegExp(String.raw`\{\{\s*${name}\s*\}\}`).test(textFormat);

/** visualizations 5.14: the value at a place for an address: unformatted, a moment as ISO text. */
export function plainPlace(place: number, { type, categories }: { type: ScaleType; categories: readonly unknown[] }): string {
  if (type === 'category') return plainText(categories[place]);
  if (Number.isNaN(place)) return '';
  if (type !== 'time') return String(place);
  const moment = new Date(place);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

/** visualizations 5.14: the address that a click opens; null without one, or with an unsafe one. */
export function linkTo(
  { enableLink, linkFormat, linkOpenNewTab }: Pick<ChartOptions, 'enableLink' | 'linkFormat' | 'linkOpenNewTab'>,
  points: readonly { x: string; y: string }[],
): { address: string; target: '_blank' | '_self' } | null {
  if (!enableLink || linkFormat.trim() === '' || points.length === 0) return null;
  const address = safeLinkUrl(linkOf(linkFormat, points));
  return address ? { address, target: linkOpenNewTab ? '_blank' : '_self' } : null;
}

/** visualizations 5.14: `@@x1` is the first curve, as `@@x` is; unknown placeholders become empty, and values are encoded so that they stay in their place in the address. */
export function linkOf(linkFormat: string, points: readonly { x: string; y: string }[]): string {
  return linkFormat.replace(/\{\{\s*@@([xy])(\d*)\s*\}\}|\{\{[^{}]*\}\}/g, (_, axis?: 'x' | 'y', at?: string) => {
    const point = points[at ? Number(at) - 1 : 0];
    return axis && point ? encodeURIComponent(point[axis]) : '';
  });
}
