import { dashboardIdOf } from '@telltale/domain/dashboards/address.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { useEffect } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ApiError } from '../api/ApiError.ts';
import { useRead } from '../api/query.ts';
import { ErrorPanel } from '../layout/ErrorPanel.tsx';
import { DashboardSkeleton } from './DashboardSkeleton.tsx';
import { DashboardView } from './DashboardView.tsx';

/** Read anew at every visit, and then left alone while somebody works on it. */
const once = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY };

/** /dashboards/:dashboardId, the number before the first dash. */
export function DashboardPage() {
  const id = dashboardIdOf(useParams().dashboardId ?? '');
  const dashboard = useRead(dashboardsApi.get, { params: { id: String(id) } }, { ...once, enabled: id !== undefined });
  if (id === undefined) return <ErrorPanel error={new ApiError(404, '')} />;
  if (dashboard.error) return <ErrorPanel error={dashboard.error} onRetry={dashboard.refetch} />;
  if (!dashboard.data) return <DashboardSkeleton />;
  return <DashboardView key={id} initial={dashboard.data} />;
}

/** /dashboard/:dashboardSlug, the address of old: replaced by the one of today. */
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
  return <DashboardSkeleton />;
}
