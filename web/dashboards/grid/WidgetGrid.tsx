import type { FullPosition } from '@telltale/domain/dashboards/grid.ts';
import { type CSSProperties, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type Nudge, NudgeContext } from '../../grid/nudge.ts';
import { firstSize, typeOfWidget } from '../../grid/widgetPosition.ts';
import { fetchAhead } from '../../ui/fetchAhead.ts';
import { useBoard } from '../board.ts';
import { isTextBox, type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import widgetStyles from '../widgets/Widget.module.css';
import { WidgetView } from '../widgets/WidgetView.tsx';
import styles from './Grid.module.css';
import { areaOf, heightOf, inReadingOrder, onFirstScreen, type Positions } from './layout.ts';
import { useNaturalHeight } from './useNaturalHeight.ts';
import { useNearScreen } from './useNearScreen.ts';

const editLayer = () => import('./EditLayer.tsx');
const EditLayer = lazy(editLayer);

/** Reads the code for editing before somebody presses Edit. */
export const readEditLayer = () => fetchAhead(editLayer);

interface WidgetGridProps {
  widgets: readonly ShownWidget[];
  positions: Positions;
  /** Of widgets that fit their content. */
  heights: ReadonlyMap<number, number>;
  isSingleColumn: boolean;
  /** Given while the widgets may be dragged and resized. */
  onMove?: ((positions: Positions, id: number) => void) | undefined;
}

/** The grid for reading and for editing: plain CSS. Editing adds a layer beside the same cells, so no widget is mounted anew. */
export function WidgetGrid({ widgets, positions, heights, isSingleColumn, onMove }: WidgetGridProps) {
  const byId = new Map(widgets.map((widget) => [widget.id, widget]));
  const [seenFirst] = useState(() => [...onFirstScreen(positions, isSingleColumn)]);
  const container = useRef<HTMLDivElement>(null);
  /** Where the widgets would stand if the one that is being dragged were let go. */
  const [preview, setPreview] = useState<{ positions: Positions; id: number } | null>(null);
  /** What the arrow keys do: there as soon as the code for editing is. */
  const [nudge, setNudge] = useState<Nudge | null>(null);
  const placeOf = (id: number, position: FullPosition) => (preview && preview.id !== id && preview.positions.get(id)) || position;
  const name = isSingleColumn ? styles.column : styles.grid;
  return (
    <NudgeContext value={nudge}>
      <div ref={container} className={onMove ? `${name} ${styles.lines}` : name}>
        {inReadingOrder(positions).map(([id, position]) => {
          const widget = byId.get(id);
          if (!widget) return null;
          const style: CSSProperties = isSingleColumn
            ? columnStyle(widget, position.autoHeight, heightOf(position.sizeY), heights.get(id))
            : areaOf(placeOf(id, position));
          return (
            <Cell
              key={id}
              widget={widget}
              style={style}
              place={seenFirst.indexOf(id)}
              isEditing={nudge !== null}
              isShrinkable={isSingleColumn && canShrink(widget, position.autoHeight)}
            />
          );
        })}
        {onMove && (
          <Suspense>
            <EditLayer
              container={container}
              widgets={widgets}
              positions={positions}
              onMove={onMove}
              onPreview={setPreview}
              onNudge={setNudge}
            />
          </Suspense>
        )}
      </div>
    </NudgeContext>
  );
}

/**
 * In a single column a widget is as high as its content. Before its first result it keeps the height of its place in the grid, so that
 * nothing below it moves when the result arrives.
 */
function columnStyle(widget: ShownWidget, autoHeight: boolean, height: number, known: number | undefined): CSSProperties {
  if (isTextBox(widget)) return known === undefined ? {} : { minHeight: known };
  if (autoHeight) return { minHeight: known ?? height };
  return canShrink(widget, autoHeight) ? { minHeight: Math.min(known ?? height, height), maxHeight: height } : { height };
}

const canShrink = (widget: ShownWidget, autoHeight: boolean): boolean =>
  !autoHeight && !isTextBox(widget) && firstSize(typeOfWidget(widget)).autoHeight === true;

interface CellProps {
  widget: ShownWidget;
  style: CSSProperties;
  /** On the first screen; -1 for what is not on it. */
  place: number;
  isEditing: boolean;
  /** Its natural height is kept for the next visit. */
  isShrinkable: boolean;
}

/** The first of them are seen sooner when the others come a frame later. */
const drawnAtOnce = 2;

/** Complaint 25: what nobody sees yet is an empty frame. Texts are there at once, because people search a page for words. */
function Cell({ widget, style, place, isEditing, isShrinkable }: CellProps) {
  const cell = useRef<HTMLDivElement>(null);
  useNaturalHeight(cell, widget.id, isShrinkable);
  const isOnScreen = place >= 0;
  const isFirst = isTextBox(widget) || (isOnScreen && place < drawnAtOnce);
  const isNear = useNearScreen(cell, isFirst ? 'now' : isOnScreen ? 'next' : 'later');
  const { runs } = useBoard();
  // The layout knows this before the browser has measured anything; the observer corrects it where it was wrong.
  useEffect(() => {
    if (isOnScreen) runs.setNearness(widget.id, 'visible');
  }, [runs, widget.id, isOnScreen]);
  return (
    <div ref={cell} className={styles.cell} style={style} data-cell={widget.id}>
      {isNear ? (
        <WidgetView widget={widget} />
      ) : (
        <article className={widgetStyles.widget} aria-label={titleOfWidget(widget)} aria-busy="true" />
      )}
      {isEditing && <span className={styles.corner} data-resize="" title="Drag to resize" />}
    </div>
  );
}
