import { dashboardsApi, type PublicDashboard } from '@telltale/domain/dashboards/contract.ts';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '../../api/ApiError.ts';
import { useRead } from '../../api/query.ts';
import { usePublicMarks } from '../../embed/publicMarks.ts';
import { ErrorPanel } from '../../layout/ErrorPanel.tsx';
import { Mark } from '../../layout/Mark.tsx';
import { PageSkeleton } from '../../layout/PageSkeleton.tsx';
import { useTitle } from '../../layout/useTitle.ts';
import { ParameterBar } from '../../queries/parameters/ParameterBar.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ChartMarksGroup } from '../../visualizations/chart/ChartMarks.tsx';
import { CrosshairGroup } from '../../visualizations/chart/CrosshairGroup.tsx';
import { type Board, BoardContext } from '../board.ts';
import styles from '../DashboardView.module.css';
import { FiltersBar } from '../filters/FiltersBar.tsx';
import { useDashboardFilters } from '../filters/useDashboardFilters.ts';
import { useFixedLayout, useHeights } from '../grid/useLayout.ts';
import { WidgetGrid } from '../grid/WidgetGrid.tsx';
import { useDashboardParameters } from '../parameters/useDashboardParameters.ts';
import { readAhead } from '../readAhead.ts';
import { useWidgetRuns } from '../runs/useWidgetRuns.ts';
import { useNarrow } from '../useNarrow.ts';

/** /public/dashboards/:token: for readers with the secret address, without menus. */
export function PublicDashboardPage() {
  const token = useParams().token ?? '';
  const dashboard = useRead(dashboardsApi.public, { params: { token } }, { retry: false, staleTime: Number.POSITIVE_INFINITY });
  // The answer is the same for an address that never existed and for a revoked one (design 8).
  const isRefused = dashboard.error && [400, 401, 404].includes(dashboard.error.status);
  if (dashboard.error) return <ErrorPanel error={isRefused ? new ApiError(403, '') : dashboard.error} onRetry={dashboard.refetch} />;
  if (!dashboard.data) return <PageSkeleton shape="dashboard" />;
  return <SharedDashboard dashboard={dashboard.data} token={token} />;
}

function SharedDashboard({ dashboard, token }: { dashboard: PublicDashboard; token: string }) {
  const marks = usePublicMarks(token);
  const { widgets, dashboard_filters_enabled } = dashboard;
  const isNarrow = useNarrow();
  useState(() => readAhead(widgets, isNarrow));
  const ids = useMemo(() => widgets.map(({ id }) => id), [widgets]);
  const runs = useWidgetRuns(ids);
  const { heights, onHeight } = useHeights(ids, isNarrow);
  const positions = useFixedLayout(widgets, heights);
  const { parameters, definitions, state } = useDashboardParameters(widgets, dashboard.options);
  const filters = useDashboardFilters(runs, ids, dashboard_filters_enabled);
  useTitle(dashboard.name);
  const board: Board = useMemo(
    () => ({
      runs,
      parameters,
      values: state.applied,
      imposed: filters.imposed,
      appliesAtOnce: dashboard.options.auto_apply === true,
      isPublic: true,
      isEditing: false,
      actions: undefined,
      onHeight,
      positionOf: (id) => positions.get(id),
    }),
    [runs, parameters, state.applied, filters.imposed, dashboard.options.auto_apply, onHeight, positions],
  );
  return (
    <BoardContext value={board}>
      <div className={styles.page}>
        <header className={styles.publicHeader}>
          <h1>{dashboard.name}</h1>
        </header>
        {definitions.length > 0 && (
          <ParameterBar parameters={definitions} queryId={null} state={state} isAutomatic={board.appliesAtOnce} onApply={() => {}} />
        )}
        <FiltersBar state={filters} isWanted={dashboard_filters_enabled && ids.length > 0} runs={runs} />
        <div className={styles.grid}>
          <CrosshairGroup>
            <ChartMarksGroup marks={marks} onRange={null}>
              <WidgetGrid widgets={widgets} positions={positions} heights={heights} isSingleColumn={isNarrow} />
            </ChartMarksGroup>
          </CrosshairGroup>
          {widgets.length === 0 && <EmptyState>There is nothing on this dashboard yet.</EmptyState>}
        </div>
        <footer className={styles.brand}>
          <Mark /> Powered by Telltale
        </footer>
      </div>
    </BoardContext>
  );
}
