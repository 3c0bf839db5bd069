import CaretDownOutlined from '@ant-design/icons/CaretDownOutlined';
import CaretUpOutlined from '@ant-design/icons/CaretUpOutlined';
import { memo, type PointerEvent } from 'react';
import { AboutButton } from '../columns/AboutButton.tsx';
import type { ColumnView } from '../columns/columnView.ts';
import styles from './Table.module.css';
import type { SortItem } from './view/sortState.ts';

export interface HeaderProps {
  columns: readonly ColumnView[];
  widths: readonly number[];
  first: number;
  end: number;
  sort: readonly SortItem[];
  onSort: (name: string, isAdded: boolean) => void;
  onResize: (name: string, width: number) => void;
  onResetWidth: (name: string) => void;
}

/** Always visible; a title sorts, its right edge can be dragged. */
export const Header = memo(function Header({ columns, widths, first, end, sort, onSort, onResize, onResetWidth }: HeaderProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {first > 0 && <td colSpan={first} aria-hidden />}
        {columns.slice(first, end).map((column, at) => {
          const place = sort.findIndex(({ name }) => name === column.name);
          const state = place < 0 ? 'none' : sort[place]?.isDescending ? 'descending' : 'ascending';
          return (
            <th key={column.name} scope="col" className={styles[column.alignContent]} aria-sort={state} aria-colindex={first + at + 1}>
              <div className={styles.title}>
                <button
                  type="button"
                  className={styles.sort}
                  title={column.title}
                  // Shift would select the text between two clicks.
                  onMouseDown={(event) => event.shiftKey && event.preventDefault()}
                  onClick={(event) => onSort(column.name, event.shiftKey)}
                >
                  <span className={styles.titleText}>
                    {column.title || <span className="visually-hidden">{column.name || `Column ${first + at + 1}`}</span>}
                  </span>
                  <span className={state === 'none' ? styles.unsorted : styles.sorted} aria-hidden>
                    {state === 'descending' ? <CaretDownOutlined /> : <CaretUpOutlined />}
                    {place >= 0 && sort.length > 1 && <sub>{place + 1}</sub>}
                  </span>
                </button>
                {column.description && <AboutButton label={`About ${column.title}`} text={column.description} className={styles.about} />}
              </div>
              <Edge
                width={widths[first + at] ?? 0}
                onResize={(width) => onResize(column.name, width)}
                onReset={() => onResetWidth(column.name)}
              />
            </th>
          );
        })}
        <td colSpan={columns.length - end + 1} aria-hidden />
      </tr>
    </thead>
  );
});

interface EdgeProps {
  width: number;
  onResize: (width: number) => void;
  onReset: () => void;
}

/** Dragged with the pointer; a double click restores the width of the content. */
function Edge({ width, onResize, onReset }: EdgeProps) {
  const start = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = event.currentTarget;
    const from = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const move = ({ clientX }: globalThis.PointerEvent) => onResize(width + clientX - from);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  return <span className={styles.edge} aria-hidden onPointerDown={start} onDoubleClick={onReset} />;
}
