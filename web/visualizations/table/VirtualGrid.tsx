import { type CSSProperties, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Columns } from './Columns.tsx';
import { type GridProps, tableWidth } from './grid.ts';
import { Header } from './Header.tsx';
import { Row } from './Row.tsx';
import { headerHeight, rowHeight as plainRowHeight } from './sizes.ts';
import styles from './Table.module.css';
import { useColumnWindow } from './useColumnWindow.ts';
import { useElementSize } from './useElementSize.ts';
import { barHeight, rowWindow, type ScrollPlace, scrolled, settled } from './virtualScroll.ts';

const idleMs = 160;
const atTop: ScrollPlace = { bar: 0, top: 0, isJump: false };

/**
 * A page of many rows: only the visible ones exist. The table stands still in the window of the scroll area and its rows are drawn for the
 * position of the bar, so nothing is ever blank and a million rows are as light as thirty.
 */
export function VirtualGrid(props: GridProps & { rowHeight?: number }) {
  const { columns, widths, count, rowAt, before, total, label, topOf, onOpen, sort, onSort, onResize, onResetWidth } = props;
  const { rowHeight = plainRowHeight } = props;
  const scroller = useRef<HTMLElement>(null);
  const { width, height } = useElementSize(scroller);
  const { first, end, look } = useColumnWindow(widths, width);
  const extent = useMemo(
    () => ({ rowCount: count, rowHeight, height: Math.max(rowHeight, height - headerHeight) }),
    [count, rowHeight, height],
  );
  const [place, setPlace] = useState(atTop);
  const current = useRef(place);
  const idle = useRef<ReturnType<typeof setTimeout>>(undefined);

  const move = useCallback((next: ScrollPlace) => {
    current.current = next;
    setPlace(next);
    const { current: element } = scroller;
    if (element && Math.abs(element.scrollTop - next.bar) >= 1) element.scrollTop = next.bar;
  }, []);

  const onScroll = () => {
    const { current: element } = scroller;
    if (!element) return;
    look(element.scrollLeft);
    clearTimeout(idle.current);
    idle.current = setTimeout(() => move(settled(current.current.top, extent)), idleMs);
    if (Math.abs(element.scrollTop - current.current.bar) >= 1) move(scrolled(current.current, element.scrollTop, extent));
  };
  useEffect(() => () => clearTimeout(idle.current), []);
  // After a refresh or a resize the same row stays at the top.
  useLayoutEffect(() => move(settled(current.current.top, extent)), [extent, move]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, order or search begins at its top
  useLayoutEffect(() => move(atTop), [topOf, move]);

  const shown = rowWindow(Math.min(place.top, Math.max(0, count * rowHeight - extent.height)), extent);
  const places = Math.ceil(extent.height / rowHeight) + 1;
  const area = { '--row-height': `${rowHeight}px` } as CSSProperties;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section ref={scroller} className={styles.virtualScroller} style={area} aria-label="Rows" tabIndex={0} onScroll={onScroll}>
      <div className={styles.sizer} style={{ width: tableWidth(widths, width), height: headerHeight + barHeight(extent) }}>
        <div className={styles.window} style={{ height }}>
          <table className={styles.virtualTable} aria-label={label} aria-rowcount={total + 1} aria-colcount={columns.length}>
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
            <tbody style={{ transform: `translateY(${-shown.shift}px)` }}>
              {Array.from({ length: shown.count }, (_, offset) => {
                const index = shown.first + offset;
                const row = rowAt(index);
                return (
                  row && (
                    <Row
                      // A row that becomes visible reuses the elements of one that has left.
                      key={index % places}
                      row={row}
                      number={before + index + 1}
                      columns={columns}
                      widths={widths}
                      first={first}
                      end={end}
                      isOneLine
                      onOpen={onOpen}
                    />
                  )
                );
              })}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}
