import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { Link } from 'react-router';
import { useRead } from '../../api/query.ts';
import { useCan } from '../../api/session.ts';
import styles from './Fleet.module.css';

interface Entry {
  key: string;
  to: string;
  name: string;
  kind: string;
}

const mostShown = 6;
const now = { query: { page_size: mostShown } } as const;

/** Reads the starred and the recently changed objects. */
export function useOwnObjects() {
  const can = useCan();
  const [seesDashboards, seesQueries] = [can('list_dashboards'), can('view_query')];
  const starredDashboards = useRead(dashboardsApi.favorites, now, { enabled: seesDashboards });
  const starredQueries = useRead(queriesApi.favorites, now, { enabled: seesQueries });
  const lateDashboards = useRead(dashboardsApi.recent, now, { enabled: seesDashboards });
  const lateQueries = useRead(queriesApi.recent, {}, { enabled: seesQueries });
  const favorites = [
    ...(starredDashboards.data?.results ?? []).map(dashboardEntry),
    ...(starredQueries.data?.results ?? []).map(queryEntry),
  ];
  const recent = [
    ...(lateDashboards.data?.results ?? []).map((one) => ({ ...dashboardEntry(one), at: one.updated_at })),
    ...(lateQueries.data ?? []).map((one) => ({ ...queryEntry(one), at: one.updated_at })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const isPending = [starredDashboards, starredQueries, lateDashboards, lateQueries].some(({ isLoading }) => isLoading);
  return { favorites, recent, isPending };
}

/** Starred and recently changed objects; nothing where there is neither. */
export function OwnObjects({ favorites, recent }: Pick<ReturnType<typeof useOwnObjects>, 'favorites' | 'recent'>) {
  if (favorites.length === 0 && recent.length === 0) return null;
  return (
    <div className={styles.lists}>
      {favorites.length > 0 && <List title="Favorites" entries={favorites} />}
      {recent.length > 0 && <List title="Recent" entries={recent} />}
    </div>
  );
}

const dashboardEntry = ({ id, name, url }: { id: number; name: string; url: string }): Entry => ({
  key: `dashboard-${id}`,
  to: url,
  name,
  kind: 'Dashboard',
});
const queryEntry = ({ id, name }: { id: number; name: string }): Entry => ({
  key: `query-${id}`,
  to: `/queries/${id}`,
  name,
  kind: 'Query',
});

const List = ({ title, entries }: { title: string; entries: readonly Entry[] }) => (
  <section className={styles.list} aria-label={title}>
    <h2>{title}</h2>
    <ul>
      {entries.slice(0, mostShown).map(({ key, to, name, kind }) => (
        <li key={key}>
          <Link to={to}>{name}</Link>
          <span>{kind}</span>
        </li>
      ))}
    </ul>
  </section>
);
