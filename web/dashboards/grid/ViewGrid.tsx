import { grid } from '@telltale/domain/dashboards/grid.ts';
import { type CSSProperties, useRef } from 'react';
import { firstSize, isTextBox, type ShownWidget, titleOfWidget, typeOfWidget } from '../shownWidget.ts';
import widgetStyles from '../widgets/Widget.module.css';
import { WidgetView } from '../widgets/WidgetView.tsx';
import styles from './Grid.module.css';
import { heightOf, inReadingOrder, type Positions } from './layout.ts';
import { useNearScreen } from './useNearScreen.ts';

interface ViewGridProps {
  widgets: readonly ShownWidget[];
  positions: Positions;
  isSingleColumn: boolean;
}

/** The grid for reading: plain CSS, with the same measures as the one for editing. */
export function ViewGrid({ widgets, positions, isSingleColumn }: ViewGridProps) {
  const byId = new Map(widgets.map((widget) => [widget.id, widget]));
  const rowsOnScreen = Math.ceil(innerHeight / grid.rowPitch);
  return (
    <div className={isSingleColumn ? styles.column : styles.grid}>
      {inReadingOrder(positions).map(([id, { col, row, sizeX, sizeY, autoHeight }], place) => {
        const widget = byId.get(id);
        if (!widget) return null;
        const style: CSSProperties = isSingleColumn
          ? columnStyle(widget, autoHeight, heightOf(sizeY))
          : { gridColumn: `${col + 1} / span ${sizeX}`, gridRow: `${row + 1} / span ${sizeY}` };
        const isOnScreen = isSingleColumn ? place < 3 : row < rowsOnScreen;
        return <Cell key={id} widget={widget} style={style} isOnScreen={isOnScreen} />;
      })}
    </div>
  );
}

/** In a single column nothing stands beside a widget: what fits its content by nature is no higher than that. */
function columnStyle(widget: ShownWidget, autoHeight: boolean, height: number): CSSProperties {
  if (autoHeight || isTextBox(widget)) return {};
  return firstSize(typeOfWidget(widget)).autoHeight ? { maxHeight: height } : { height };
}

interface CellProps {
  widget: ShownWidget;
  style: CSSProperties;
  isOnScreen: boolean;
}

/** Complaint 25: what nobody sees yet is an empty frame. Texts are there at once, because people search a page for words. */
function Cell({ widget, style, isOnScreen }: CellProps) {
  const cell = useRef<HTMLDivElement>(null);
  const isNear = useNearScreen(cell, isOnScreen || isTextBox(widget));
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
