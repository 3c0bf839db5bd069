import type { CSSProperties } from 'react';
import type { ShownWidget } from '../shownWidget.ts';
import { WidgetView } from '../widgets/WidgetView.tsx';
import styles from './Grid.module.css';
import { heightOf, inReadingOrder, type Positions } from './layout.ts';

interface ViewGridProps {
  widgets: readonly ShownWidget[];
  positions: Positions;
  isSingleColumn: boolean;
}

/** The grid for reading: plain CSS, with the same measures as the one for editing. */
export function ViewGrid({ widgets, positions, isSingleColumn }: ViewGridProps) {
  const byId = new Map(widgets.map((widget) => [widget.id, widget]));
  return (
    <div className={isSingleColumn ? styles.column : styles.grid}>
      {inReadingOrder(positions).map(([id, { col, row, sizeX, sizeY, autoHeight }]) => {
        const widget = byId.get(id);
        if (!widget) return null;
        const place: CSSProperties = isSingleColumn
          ? { [autoHeight ? 'minHeight' : 'height']: autoHeight ? 0 : heightOf(sizeY) }
          : { gridColumn: `${col + 1} / span ${sizeX}`, gridRow: `${row + 1} / span ${sizeY}` };
        return (
          <div key={id} className={styles.cell} style={place}>
            <WidgetView widget={widget} />
          </div>
        );
      })}
    </div>
  );
}
