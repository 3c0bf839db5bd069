import { pageInRange } from '@telltale/domain/lists/paging.ts';
import { useMemo, useState } from 'react';
import { Paginator } from '../../../ui/items/Paginator.tsx';
import type { Key } from '../data/pivotData.ts';
import styles from '../Pivot.module.css';
import type { DrawingProps } from './drawing.ts';
import { heatOf } from './heat.ts';
import { type Span, spansOf } from './spans.ts';

const rowsPerPage = 200;
const mostColumns = 200;
const counted = new Intl.NumberFormat('en');

/** visualizations 12: groups of rows down, groups of columns across; rows come in pages, columns up to a limit with a note. */
export default function PivotTable({ data, rowAttributes, colAttributes, rendererName, print, totals, label }: DrawingProps) {
  const [wantedPage, setPage] = useState(1);
  const page = pageInRange(wantedPage, rowsPerPage, data.rowKeys.length);
  const before = (page - 1) * rowsPerPage;
  const rowKeys = useMemo(() => data.rowKeys.slice(before, before + rowsPerPage), [data, before]);
  const colKeys = useMemo(() => data.colKeys.slice(0, mostColumns), [data]);
  const heat = useMemo(() => heatOf(data, places(data.rowKeys), places(data.colKeys), rendererName), [data, rendererName]);
  const rowSpans = useMemo(() => firsts(spansOf(rowKeys, rowAttributes.length), rowKeys.length), [rowKeys, rowAttributes]);
  const cols = places(colKeys);
  const hasRowTotals = totals.rowTotals && colKeys.length > 0;
  const hasColTotals = totals.colTotals && rowKeys.length > 0;
  const cell = (row: number | undefined, col: number | undefined, className = styles.cell) => {
    const value = data.result(row, col);
    const part = heat(row, col);
    return (
      <td
        key={col ?? 'total'}
        className={part === undefined ? className : styles.hot}
        style={part === undefined ? undefined : { ['--heat' as string]: `${Math.round(8 + part * 57)}%` }}
      >
        {print(value)}
      </td>
    );
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={styles.scroller} tabIndex={0} aria-label={label}>
        <table className={styles.table}>
          <Head
            {...{ rowAttributes, colAttributes, colKeys, hasRowTotals }}
            // Without row attributes the only row is the total.
            hasValue={colKeys.length === 0}
          />
          <tbody>
            {rowKeys.map((key, at) => (
              <tr key={key.join('\n')}>
                {key.map((text, level) => {
                  const span = rowSpans[level]?.get(at);
                  return span === undefined ? null : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a heading is its level
                    <th key={level} scope="row" rowSpan={span}>
                      {text}
                    </th>
                  );
                })}
                {cols.map((col) => cell(before + at, col))}
                {(hasRowTotals || cols.length === 0) && cell(before + at, undefined, styles.total)}
              </tr>
            ))}
          </tbody>
          {(hasColTotals || rowKeys.length === 0) && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={Math.max(1, rowAttributes.length)}>
                  Totals
                </th>
                {cols.map((col) => cell(undefined, col, styles.total))}
                {(hasRowTotals || cols.length === 0) && cell(undefined, undefined, styles.grand)}
              </tr>
            </tfoot>
          )}
        </table>
        {data.colKeys.length > mostColumns && (
          <p className={styles.cut}>
            The first {counted.format(mostColumns)} of {counted.format(data.colKeys.length)} columns are shown. Filter, or move a column to
            the rows, to see the others.
          </p>
        )}
      </section>
      <div className={styles.pages}>
        <Paginator page={page} pageSize={rowsPerPage} total={data.rowKeys.length} onPage={setPage} />
      </div>
    </>
  );
}

const places = (keys: readonly unknown[]): number[] => keys.map((_, at) => at);

/** The length of the span that begins at each row, by level. */
const firsts = (levels: readonly Span[][], count: number): Map<number, number>[] =>
  count === 0 ? [] : levels.map((spans) => new Map(spans.map(({ at, length }) => [at, length])));

interface HeadProps {
  rowAttributes: readonly string[];
  colAttributes: readonly string[];
  colKeys: readonly Key[];
  hasRowTotals: boolean;
  hasValue: boolean;
}

function Head({ rowAttributes, colAttributes, colKeys, hasRowTotals, hasValue }: HeadProps) {
  const levels = spansOf(colKeys, colAttributes.length);
  const width = Math.max(1, rowAttributes.length);
  return (
    <thead>
      {levels.map((spans, level) => (
        <tr key={colAttributes[level]}>
          <th scope="row" className={styles.axis} colSpan={width}>
            {colAttributes[level]}
          </th>
          {spans.map(({ text, length, at }) => (
            <th key={at} scope="colgroup" colSpan={length}>
              {text}
            </th>
          ))}
          {level === 0 && hasRowTotals && (
            <th scope="col" className={styles.total} rowSpan={levels.length + (rowAttributes.length > 0 ? 1 : 0)}>
              Totals
            </th>
          )}
        </tr>
      ))}
      {rowAttributes.length > 0 && (
        <tr>
          {rowAttributes.map((name) => (
            <th key={name} scope="col" className={styles.axis}>
              {name || '(no name)'}
            </th>
          ))}
          {hasValue ? (
            <th scope="col" className={styles.total}>
              Totals
            </th>
          ) : (
            colKeys.length > 0 && <td colSpan={colKeys.length} />
          )}
        </tr>
      )}
    </thead>
  );
}
