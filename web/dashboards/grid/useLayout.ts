import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import type { FullPosition } from '@telltale/domain/dashboards/grid.ts';
import type { Widget } from '@telltale/domain/dashboards/widget.ts';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { notify } from '../../ui/notify.tsx';
import { positionOfWidget, type ShownWidget } from '../shownWidget.ts';
import { LayoutSaver } from './LayoutSaver.ts';
import { compacted, fitted, type Positions } from './layout.ts';

/** Heights of the widgets that fit their content, as measured. */
export function useHeights() {
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map());
  const onHeight = useCallback(
    (id: number, height: number) => setHeights((before) => (before.get(id) === height ? before : new Map([...before, [id, height]]))),
    [],
  );
  return { heights, onHeight };
}

/** For those who only look: where the widgets stand. */
export function useFixedLayout(widgets: readonly ShownWidget[], heights: ReadonlyMap<number, number>): Positions {
  const kept = useMemo(() => new Map(widgets.map((widget) => [widget.id, positionOfWidget(widget)])), [widgets]);
  return useMemo(() => compacted(fitted(kept, heights)), [kept, heights]);
}

const knownOf = (widgets: readonly Widget[]) =>
  widgets.map((widget) => ({ id: widget.id, version: widget.version, position: positionOfWidget(widget) }));

/** Where the widgets stand, and how far that is saved. */
export function useLayout(
  dashboardId: number,
  widgets: readonly Widget[],
  heights: ReadonlyMap<number, number>,
  onRemoved: (ids: readonly number[]) => void,
) {
  const [saver] = useState(
    () =>
      new LayoutSaver(knownOf(widgets), {
        send: async (moves) => (await call(dashboardsApi.layout, { params: { id: dashboardId }, body: { widgets: moves } })).widgets,
        onFailed: () => notify.error('Error saving changes.'),
        onRemoved,
      }),
  );
  useEffect(() => saver.sync(knownOf(widgets)), [saver, widgets]);
  useEffect(() => () => void saver.settle(), [saver]);
  const positions = useSyncExternalStore(saver.subscribe, saver.positions);
  const status = useSyncExternalStore(saver.subscribe, saver.status);
  const placed = useMemo(() => compacted(fitted(positions, heights)), [positions, heights]);
  const move = useCallback((next: ReadonlyMap<number, FullPosition>, id: number) => saver.move(next, id), [saver]);
  return { placed, status, saver, move };
}
