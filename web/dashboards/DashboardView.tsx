import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Dashboard } from '@telltale/domain/dashboards/contract.ts';
import { refreshSeconds } from '@telltale/domain/dashboards/refresh.ts';
import type { Widget } from '@telltale/domain/dashboards/widget.ts';
import { savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { normalizeValue } from '@telltale/domain/parameters/values.ts';
import { Button, Checkbox } from 'antd';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { recordEvent } from '../api/events.ts';
import { useSession } from '../api/session.ts';
import { newPosition } from '../grid/newPosition.ts';
import { useTitle } from '../layout/useTitle.ts';
import { ParameterBar } from '../queries/parameters/ParameterBar.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { CrosshairGroup } from '../visualizations/chart/CrosshairGroup.tsx';
import { DashboardMarks } from './annotations/DashboardMarks.tsx';
import { type Board, BoardContext } from './board.ts';
import styles from './DashboardView.module.css';
import { askToRemove } from './dialogs/askToRemove.ts';
import { FiltersBar } from './filters/FiltersBar.tsx';
import { useDashboardFilters } from './filters/useDashboardFilters.ts';
import { ReorderList } from './grid/ReorderList.tsx';
import { useHeights, useLayout } from './grid/useLayout.ts';
import { readEditLayer, WidgetGrid } from './grid/WidgetGrid.tsx';
import { DashboardHeader } from './header/DashboardHeader.tsx';
import { useDashboardParameters } from './parameters/useDashboardParameters.ts';
import { readAhead } from './readAhead.ts';
import { useAutoRefresh } from './runs/useAutoRefresh.ts';
import { useFollowing } from './runs/useFollowing.ts';
import { useWidgetRuns } from './runs/useWidgetRuns.ts';
import { useDashboard } from './useDashboard.ts';
import { useNarrow } from './useNarrow.ts';
import { useUrlFlags } from './useUrlFlags.ts';

const AddWidgetDialog = lazy(() => import('./dialogs/AddWidgetDialog.tsx'));
const LiveUplinksDialog = lazy(() => import('./dialogs/LiveUplinksDialog.tsx'));
const TextboxDialog = lazy(() => import('./dialogs/TextboxDialog.tsx'));
const ParametersDialog = lazy(() => import('./parameters/ParametersDialog.tsx'));

type OpenDialog = { kind: 'widget' } | { kind: 'text'; widget: Widget | null } | { kind: 'parameters' | 'live'; widget: Widget } | null;

/** D2: a dashboard, for viewing and arranging. */
export function DashboardView({ initial }: { initial: Dashboard }) {
  const state = useDashboard(initial);
  const { dashboard, canEdit } = state;
  const { widgets } = dashboard;
  const { client_config } = useSession();
  const isNarrow = useNarrow();
  const flags = useUrlFlags();
  useState(() => {
    if (flags.params.has('edit')) void readEditLayer();
    readAhead(initial.widgets, isNarrow);
  });
  const isEditing = canEdit && !isNarrow && flags.params.has('edit');
  const isReordering = canEdit && isNarrow && flags.params.has('reorder');
  const ids = useMemo(() => widgets.map(({ id }) => id), [widgets]);
  const runs = useWidgetRuns(ids);
  const { heights, onHeight } = useHeights(ids, isNarrow);
  // A single column has heights of its own, which do not apply to the grid.
  const layout = useLayout(dashboard.id, widgets, isNarrow ? noHeights : heights, state.drop);
  const { parameters, definitions, state: values } = useDashboardParameters(widgets, dashboard.options);
  const filters = useDashboardFilters(runs, ids, dashboard.dashboard_filters_enabled);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const interval = refreshSeconds(flags.params.get('refresh'), client_config.dashboardRefreshIntervals);
  const dueAt = useAutoRefresh(interval, () => runs.refreshAll());
  useFollowing(runs, widgets);
  useTitle(dashboard.name);
  useCanonicalAddress(dashboard.url, flags.set);
  useUnsavedWarning(layout.status !== 'saved');
  useEffect(() => {
    for (const { id, visualization } of initial.widgets) {
      recordEvent('view', 'widget', id);
      if (!visualization) continue;
      recordEvent('view', 'query', visualization.query.id, { dashboard: true });
      recordEvent('view', 'visualization', visualization.id, { dashboard: true });
    }
  }, [initial]);

  const board: Board = useMemo(() => {
    const find = ({ id }: { id: number }) => widgets.find((one) => one.id === id);
    const onWidget = (act: (widget: Widget) => void) => (shown: { id: number }) => {
      const widget = find(shown);
      if (widget) act(widget);
    };
    return {
      runs,
      parameters,
      values: values.applied,
      imposed: filters.imposed,
      appliesAtOnce: dashboard.options.auto_apply === true,
      isPublic: false,
      isEditing,
      actions: canEdit
        ? {
            remove: onWidget((widget) => void askToRemove(widget, state.removeWidget, state.addWidget)),
            editText: onWidget((widget) => setDialog({ kind: 'text', widget })),
            editLive: onWidget((widget) => setDialog({ kind: 'live', widget })),
            editParameters: onWidget((widget) => setDialog({ kind: 'parameters', widget })),
            setFollowing: ({ id }, follows_readings) =>
              void state.saveWidget({ id }, { options: { follows_readings } }, 'Widget cannot be updated').catch(() => {}),
          }
        : undefined,
      onHeight,
      positionOf: (id) => layout.placed.get(id),
    };
  }, [
    runs,
    parameters,
    values.applied,
    filters.imposed,
    dashboard.options.auto_apply,
    isEditing,
    canEdit,
    widgets,
    state.removeWidget,
    state.addWidget,
    state.saveWidget,
    onHeight,
    layout.placed,
  ]);
  const close = () => setDialog(null);
  /** Values chosen while editing become the dashboard's initial values. The save itself notifies of a failure. */
  const settle = async () => {
    const kept = definitions.map((one) => ({ name: one.name, value: values.applied[one.name] ?? null }));
    const isChanged = definitions.some((one, at) => !isSameValue(normalizeValue(one, savedValueOf(one)), kept[at]?.value));
    if (isChanged) await state.save({ options: { ...dashboard.options, parameters: kept } }).catch(() => {});
    return layout.settle();
  };
  const grid = isReordering ? (
    <ReorderList widgets={widgets} positions={layout.placed} onMove={layout.move} />
  ) : (
    <WidgetGrid
      widgets={widgets}
      positions={layout.placed}
      heights={heights}
      isSingleColumn={isNarrow}
      onMove={isEditing ? layout.move : undefined}
    />
  );

  return (
    <BoardContext value={board}>
      <div className={styles.page}>
        <DashboardHeader
          state={state}
          runs={runs}
          saving={{ status: layout.status, retry: () => layout.saver.retry(), settle }}
          isEditing={isEditing || isReordering}
          isNarrow={isNarrow}
          interval={interval}
          dueAt={dueAt}
        />
        {definitions.length > 0 && (
          <ParameterBar
            parameters={definitions}
            queryId={null}
            state={values}
            isAutomatic={board.appliesAtOnce}
            onApply={() => {}}
            onOrder={
              isEditing
                ? (order) =>
                    void state.save({ options: { ...dashboard.options, globalParamOrder: order.map(({ name }) => name) } }).catch(() => {})
                : undefined
            }
          />
        )}
        <FiltersBar state={filters} isWanted={dashboard.dashboard_filters_enabled && ids.length > 0} runs={runs} />
        {isEditing && (
          <div className={styles.settings}>
            <Checkbox
              checked={dashboard.dashboard_filters_enabled}
              onChange={({ target }) => void state.save({ dashboard_filters_enabled: target.checked }).catch(() => {})}
            >
              Use Dashboard Level Filters
            </Checkbox>
            <Checkbox
              checked={board.appliesAtOnce}
              onChange={({ target }) => void state.save({ options: { ...dashboard.options, auto_apply: target.checked } }).catch(() => {})}
            >
              Apply parameter changes at once
            </Checkbox>
          </div>
        )}
        <div className={styles.grid}>
          <CrosshairGroup>
            <DashboardMarks dashboardId={dashboard.id} definitions={definitions} values={values}>
              {grid}
            </DashboardMarks>
          </CrosshairGroup>
          {widgets.length === 0 && !isEditing && (
            <EmptyState action={canEdit && !isNarrow && <Button onClick={() => flags.set({ edit: '' })}>Edit</Button>}>
              There is nothing on this dashboard yet.
            </EmptyState>
          )}
        </div>
        {isEditing && (
          <div className={styles.addBar}>
            <div>
              <Button onClick={() => setDialog({ kind: 'text', widget: null })}>Add Textbox</Button>
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setDialog({ kind: 'widget' })}>
                Add Widget
              </Button>
            </div>
            <p>Widgets are individual query visualizations or text boxes you can place on your dashboard in various arrangements.</p>
          </div>
        )}
      </div>
      <Suspense>
        {dialog?.kind === 'widget' && (
          <AddWidgetDialog positions={layout.placed} parameters={parameters} onAdd={state.addWidget} onClose={close} />
        )}
        {dialog?.kind === 'text' && (
          <TextboxDialog
            text={dialog.widget?.text ?? null}
            onClose={close}
            onSave={(text) =>
              dialog.widget
                ? state.saveWidget(dialog.widget, { text }, 'Widget could not be saved')
                : state.addWidget({ text, width: 1, options: { position: newPosition(layout.placed, undefined) } })
            }
          />
        )}
        {dialog?.kind === 'live' && (
          <LiveUplinksDialog
            live={dialog.widget.options.live}
            onSave={(live) => state.saveWidget(dialog.widget, { options: { live } }, 'Widget cannot be updated')}
            onClose={close}
          />
        )}
        {dialog?.kind === 'parameters' && (
          <ParametersDialog widget={dialog.widget} parameters={parameters} widgets={widgets} onSave={state.saveWidget} onClose={close} />
        )}
      </Suspense>
    </BoardContext>
  );
}

const noHeights: ReadonlyMap<number, number> = new Map();
const isSameValue = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Screens 9.1: a new name changes the address. */
function useCanonicalAddress(url: string, set: ReturnType<typeof useUrlFlags>['set']): void {
  useEffect(() => {
    if (location.pathname !== url) set({}, url);
  }, [url, set]);
}

function useUnsavedWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}
