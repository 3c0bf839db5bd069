import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useBoard } from '../board.ts';
import { firstSize, isTextBox, type ShownWidget, titleOfWidget, typeOfWidget } from '../shownWidget.ts';
import widgetStyles from '../widgets/Widget.module.css';
import { WidgetView } from '../widgets/WidgetView.tsx';
import styles from './Grid.module.css';
import { heightOf, inReadingOrder, onFirstScreen, type Positions } from './layout.ts';
import { useNearScreen } from './useNearScreen.ts';

interface ViewGridProps {
  widgets: readonly ShownWidget[];
  positions: Positions;
  /** Of widgets that fit their content. */
  heights: ReadonlyMap<number, number>;
  isSingleColumn: boolean;
}

/** The grid for reading: plain CSS, with the same measures as the one for editing. */
export function ViewGrid({ widgets, positions, heights, isSingleColumn }: ViewGridProps) {
  const byId = new Map(widgets.map((widget) => [widget.id, widget]));
  const [seenFirst] = useState(() => [...onFirstScreen(positions, isSingleColumn)]);
  return (
    <div className={isSingleColumn ? styles.column : styles.grid}>
      {inReadingOrder(positions).map(([id, { col, row, sizeX, sizeY, autoHeight }]) => {
        const widget = byId.get(id);
        if (!widget) return null;
        const style: CSSProperties = isSingleColumn
          ? columnStyle(widget, autoHeight, heightOf(sizeY), heights.get(id))
          : { gridColumn: `${col + 1} / span ${sizeX}`, gridRow: `${row + 1} / span ${sizeY}` };
        return <Cell key={id} widget={widget} style={style} place={seenFirst.indexOf(id)} />;
      })}
    </div>
  );
}

/** In a single column nothing stands beside a widget: what fits its content by nature is no higher than that. */
function columnStyle(widget: ShownWidget, autoHeight: boolean, height: number, measured: number | undefined): CSSProperties {
  if (autoHeight || isTextBox(widget)) return measured === undefined ? {} : { minHeight: measured };
  return firstSize(typeOfWidget(widget)).autoHeight ? { maxHeight: height } : { height };
}

interface CellProps {
  widget: ShownWidget;
  style: CSSProperties;
  /** On the first screen; -1 for what is not on it. */
  place: number;
}

/** The first of them are seen sooner when the others come a frame later. */
const drawnAtOnce = 2;

/** Complaint 25: what nobody sees yet is an empty frame. Texts are there at once, because people search a page for words. */
function Cell({ widget, style, place }: CellProps) {
  const cell = useRef<HTMLDivElement>(null);
  const isOnScreen = place >= 0;
  const isFirst = isTextBox(widget) || (isOnScreen && place < drawnAtOnce);
  const isNear = useNearScreen(cell, isFirst ? 'now' : isOnScreen ? 'next' : 'later');
  const { runs } = useBoard();
  // Known before the browser has measured anything; where it was wrong, that puts it right.
  useEffect(() => {
    if (isOnScreen) runs.setNearness(widget.id, 'visible');
  }, [runs, widget.id, isOnScreen]);
  return (
    <div ref={cell} className={styles.cell} style={style}>
      {isNear ? (
        <WidgetView widget={widget} />
      ) : (
        <article className={widgetStyles.widget} aria-label={titleOfWidget(widget)} aria-busy="true" />
      )}
    </div>
  );
}
