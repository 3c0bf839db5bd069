import { useEffect, useRef } from 'react';
import { Columns } from './Columns.tsx';
import { type GridProps, tableWidth } from './grid.ts';
import { Header } from './Header.tsx';
import { Row } from './Row.tsx';
import styles from './Table.module.css';
import { useColumnWindow } from './useColumnWindow.ts';
import { useElementSize } from './useElementSize.ts';

/** A page of few rows: all are rendered, each as high as it needs. */
export function PageGrid(props: GridProps) {
  const { columns, widths, count, rowAt, keyAt, before, total, label, topOf, onOpen, sort, onSort, onResize, onResetWidth } = props;
  const scroller = useRef<HTMLElement>(null);
  const { width } = useElementSize(scroller);
  const { first, end, look } = useColumnWindow(widths, width);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [topOf]);
  return (
    <section
      ref={scroller}
      className={styles.scroller}
      aria-label="Rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
      tabIndex={0}
      onScroll={({ currentTarget }) => look(currentTarget.scrollLeft)}
    >
      <table
        className={styles.table}
        style={{ width: tableWidth(widths, width) }}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
      >
        <Columns columns={columns} widths={widths} />
        <Header
          columns={columns}
          widths={widths}
          first={first}
          end={end}
          sort={sort}
          onSort={onSort}
          onResize={onResize}
          onResetWidth={onResetWidth}
        />
        <tbody>
          {Array.from({ length: count }, (_, index) => {
            const row = rowAt(index);
            return (
              row && (
                <Row
                  key={keyAt(index)}
                  row={row}
                  number={before + index + 1}
                  columns={columns}
                  widths={widths}
                  first={first}
                  end={end}
                  isOneLine={false}
                  onOpen={onOpen}
                />
              )
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
