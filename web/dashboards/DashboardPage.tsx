import { dashboardIdOf } from '@telltale/domain/dashboards/address.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { useEffect } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ApiError } from '../api/ApiError.ts';
import { useRead } from '../api/query.ts';
import { ErrorPanel } from '../layout/ErrorPanel.tsx';
import { PageSkeleton } from '../layout/PageSkeleton.tsx';
import { DashboardView } from './DashboardView.tsx';

/** Loaded at every visit, and never reloaded during the visit. */
const once = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY };

/** /dashboards/:dashboardId; the id is the number before the first dash. */
export function DashboardPage() {
  const id = dashboardIdOf(useParams().dashboardId ?? '');
  const dashboard = useRead(dashboardsApi.get, { params: { id: String(id) } }, { ...once, enabled: id !== undefined });
  if (id === undefined) return <ErrorPanel error={new ApiError(404, '')} />;
  if (dashboard.error) return <ErrorPanel error={dashboard.error} onRetry={dashboard.refetch} />;
  if (!dashboard.data) return <PageSkeleton shape="dashboard" />;
  return <DashboardView key={id} initial={dashboard.data} />;
}

/** /dashboard/:dashboardSlug, the old address: redirects to the current one. */
export function LegacyDashboardPage() {
  const slug = useParams().dashboardSlug ?? '';
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const dashboard = useRead(dashboardsApi.get, { params: { id: slug }, query: { legacy: '' } }, once);
  const url = dashboard.data?.url;
  useEffect(() => {
    if (url) navigate(url + search + hash, { replace: true });
  }, [url, search, hash, navigate]);
  if (dashboard.error) return <ErrorPanel error={dashboard.error} onRetry={dashboard.refetch} />;
  return <PageSkeleton shape="dashboard" />;
}
