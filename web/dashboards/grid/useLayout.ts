import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import type { FullPosition } from '@telltale/domain/dashboards/grid.ts';
import type { Widget } from '@telltale/domain/dashboards/widget.ts';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { positionOfWidget } from '../../grid/widgetPosition.ts';
import { notify } from '../../ui/notify.tsx';
import type { ShownWidget } from '../shownWidget.ts';
import { keepHeights, keptHeights } from './keptHeights.ts';
import { LayoutSaver } from './LayoutSaver.ts';
import { compacted, fitted, type Positions } from './layout.ts';

/** Heights of fitting widgets, measured now or the last time. */
export function useHeights(ids: readonly number[], isSingleColumn: boolean) {
  const arrangement = isSingleColumn ? 'column' : 'grid';
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(() => keptHeights(ids, arrangement));
  const measured = useRef(new Map<number, number>());
  const onHeight = useCallback((id: number, height: number) => {
    measured.current.set(id, height);
    setHeights((before) => (before.get(id) === height ? before : new Map([...before, [id, height]])));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured before it was arranged anew says nothing any more
  useLayoutEffect(() => measured.current.clear(), [arrangement]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: written when something was measured
  useEffect(() => {
    const timer = setTimeout(() => keepHeights(measured.current, arrangement), keepAfterMs);
    return () => clearTimeout(timer);
  }, [heights, arrangement]);
  return { heights, onHeight };
}

/** The positions of the widgets for viewers. */
export function useFixedLayout(widgets: readonly ShownWidget[], heights: ReadonlyMap<number, number>): Positions {
  const kept = useMemo(() => new Map(widgets.map((widget) => [widget.id, positionOfWidget(widget)])), [widgets]);
  return useMemo(() => compacted(fitted(kept, heights)), [kept, heights]);
}

const keepAfterMs = 300;

const knownOf = (widgets: readonly Widget[]) =>
  widgets.map((widget) => ({ id: widget.id, version: widget.version, position: positionOfWidget(widget) }));

/** The positions of the widgets for editors, and the state of saving. */
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
  /** Saves the measured heights too, so that first-time visitors find places of the final size. */
  const settle = () => {
    saver.fit(placed);
    return saver.settle();
  };
  return { placed, status, saver, move, settle };
}
