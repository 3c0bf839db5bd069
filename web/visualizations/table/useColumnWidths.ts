import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { useCallback, useMemo, useState } from 'react';
import type { ColumnView } from '../columns/columnView.ts';
import { textWidth } from '../columns/textWidth.ts';
import { fitWidths, narrowest, sampled, type WantedWidth } from './columnWidths.ts';
import { cellPadding } from './sizes.ts';

/** The limit for title, sort mark and description mark. */
const titleCap = 200;
const markWidth = 22;
const mostLetters = 300;
const textCap = 320;
/** visualizations 4.3: a generous line of text that wraps. */
const wideTextCap = 480;
const mostSampled = 200;
const mostMeasured = 12;
/** The canvas does not use the page's tabular figures, which are a little wider. */
const slack = 1.06;

interface ColumnWidths {
  widths: readonly number[];
  resize: (name: string, width: number) => void;
  /** Restores the width of the content. */
  reset: (name: string) => void;
}

/** Widths by content, within limits, the same on every page; or as the user has dragged them. */
export function useColumnWidths(
  columns: readonly ColumnView[],
  rows: readonly ResultRow[],
  room: number,
  isOneLine: boolean,
): ColumnWidths {
  const [drawn, setDrawn] = useState<ReadonlyMap<string, number>>(new Map());
  const wanted = useMemo(() => {
    const sample = sampled(rows, Math.max(20, Math.min(mostSampled, Math.round(20_000 / Math.max(1, columns.length)))));
    return columns.map((column) => wantedWidth(column, sample, isOneLine));
  }, [columns, rows, isOneLine]);
  const widths = useMemo(() => {
    const fixed = columns.map(({ name }, at): WantedWidth => {
      const width = drawn.get(name);
      return width === undefined ? (wanted[at] ?? { wanted: narrowest, cap: narrowest }) : { wanted: width, cap: width };
    });
    return fitWidths(fixed, room);
  }, [columns, wanted, drawn, room]);
  const resize = useCallback(
    (name: string, width: number) => setDrawn((before) => new Map([...before, [name, Math.max(narrowest, Math.round(width))]])),
    [],
  );
  const reset = useCallback((name: string) => setDrawn((before) => new Map([...before].filter(([one]) => one !== name))), []);
  return { widths, resize, reset };
}

function wantedWidth(column: ColumnView, sample: readonly ResultRow[], isRowOneLine: boolean): WantedWidth {
  const padding = cellPadding * 2 + 1;
  const marks = markWidth + (column.description ? markWidth : 0);
  const header = Math.min(titleCap, textWidth(column.title, 'header')) + marks + padding;
  const content = contentWidth(column, sample, isRowOneLine) + padding;
  const isOneLine = column.displayAs === 'number' || column.displayAs === 'datetime' || column.displayAs === 'boolean';
  const wanted = Math.ceil(Math.max(header, content));
  if (isOneLine) return { wanted, cap: wanted };
  return { wanted, cap: Math.max(header, textCap), ...(!isRowOneLine && { wideCap: Math.max(header, wideTextCap) }) };
}

function contentWidth(column: ColumnView, sample: readonly ResultRow[], isRowOneLine: boolean): number {
  if (column.displayAs === 'image') return Number.parseInt(column.imageWidth, 10) || 120;
  if (column.displayAs === 'json') return 240;
  // The longest texts are roughly the widest: only a few are measured.
  const texts = sample.map((row) => {
    const text = (column.read(row) === null ? column.nullText : column.text(row)).slice(0, mostLetters);
    return isRowOneLine ? text : longestLine(text);
  });
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const candidates = [...new Set(texts.filter((text) => text.length >= longest * 0.9).map(asFigures))].slice(0, mostMeasured);
  return Math.max(0, ...candidates.map((text) => textWidth(text))) * slack;
}

const longestLine = (text: string): string =>
  text.includes('\n') ? text.split('\n').reduce((most, line) => (line.length > most.length ? line : most)) : text;

/** All digits have the same width. */
const asFigures = (text: string): string => text.replace(/\d/g, '8');
