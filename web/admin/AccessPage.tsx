import { keepPreviousData } from '@tanstack/react-query';
import { type AccessObject, accessApi, accessObjects, type ObjectAccess, type UserAccess } from '@telltale/domain/admin/access-contract.ts';
import { Tabs } from 'antd';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { useRead } from '../api/query.ts';
import { useListState } from '../api/useListState.ts';
import { AdminFrame } from '../layout/AdminFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { Paginator } from '../ui/items/Paginator.tsx';
import { Label } from '../ui/Label.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import styles from './AccessPage.module.css';
import { PersonSelect } from './PersonSelect.tsx';

const titles: Record<AccessObject, string> = {
  data_source: 'Data Sources',
  query: 'Queries',
  dashboard: 'Dashboards',
  channel: 'Channels',
  alert: 'Alerts',
  command: 'Commands',
};

/** /admin/access and /admin/access/:userId: what a user may see and do, and why. */
export function AccessPage() {
  const { userId } = useParams();
  const navigate = useNavigate();
  return (
    <AdminFrame>
      <div className={styles.page}>
        <PageHeader
          title="Access"
          level={2}
          action={<PersonSelect value={userId ?? ''} onChange={(id) => navigate(id ? `/admin/access/${id}` : '/admin/access')} />}
        />
        {userId === undefined ? (
          <EmptyState>Choose a person to see what they may see and do, and why.</EmptyState>
        ) : (
          <PersonAccess key={userId} userId={Number(userId)} />
        )}
      </div>
    </AdminFrame>
  );
}

function PersonAccess({ userId }: { userId: number }) {
  const [search, setSearch] = useSearchParams();
  const { state, change } = useListState({ order: '', pageSize: 20 });
  const asked = search.get('of') as AccessObject | null;
  const object_type = asked && accessObjects.includes(asked) ? asked : 'data_source';
  const { q, page, page_size } = state;
  const { data, error, refetch } = useRead(
    accessApi.ofUser,
    { params: { id: userId }, query: { object_type, q, page, page_size } },
    // The search box stays while one types in it.
    { placeholderData: keepPreviousData },
  );
  useTitle(data && `Access of ${data.user.name}`);
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <FormSkeleton />;
  return (
    <>
      <Groups access={data} />
      <Permissions access={data} />
      <Tabs
        aria-label="Objects"
        activeKey={object_type}
        items={accessObjects.map((key) => ({ key, label: titles[key] }))}
        onChange={(key) => setSearch(key === 'data_source' ? {} : { of: key }, { replace: true })}
      />
      <div className={styles.search}>
        <SearchBox value={q} label={`Search ${titles[object_type]}`} onSearch={(term) => change({ q: term, page: 1 })} />
      </div>
      {data.objects.results.length === 0 ? (
        <EmptyState>There is nothing of this kind.</EmptyState>
      ) : (
        <Matrix title={titles[object_type]} objects={data.objects.results} />
      )}
      <Paginator
        page={data.objects.page}
        pageSize={page_size}
        total={data.objects.count}
        onPage={(next) => change({ page: next })}
        onPageSize={(size) => change({ page_size: size, page: 1 })}
      />
    </>
  );
}

const Groups = ({ access: { user, groups } }: { access: UserAccess }) => (
  <p className={styles.groups}>
    <Link to={`/users/${user.id}`}>{user.name}</Link>
    <span>{user.email}</span>
    {user.is_disabled && <StateLabel tone="neutral">Disabled</StateLabel>}
    {groups.map(({ id, name }) => (
      <Label key={id} to={`/groups/${id}`}>
        {name}
      </Label>
    ))}
    <span>{groups.some(({ all_channels }) => all_channels) ? 'Sees all channels.' : 'Sees the channels of these groups only.'}</span>
  </p>
);

const Permissions = ({ access }: { access: UserAccess }) => (
  <details className={styles.permissions}>
    <summary>{`${access.permissions.filter(({ allowed }) => allowed).length} of ${access.permissions.length} permissions`}</summary>
    <ul>
      {access.permissions.map(({ permission, allowed, reason }) => (
        <li key={permission}>
          <StateLabel tone={allowed ? 'ok' : 'neutral'}>{permission}</StateLabel> <span className={styles.reason}>{reason}</span>
        </li>
      ))}
    </ul>
  </details>
);

function Matrix({ title, objects }: { title: string; objects: readonly ObjectAccess[] }) {
  const actions = objects[0]?.actions.map(({ action }) => action) ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={title} tabIndex={0}>
      <table className={styles.matrix} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {objects.map(({ object_id, name, actions: decisions }) => (
            <tr key={object_id}>
              <th scope="row">{name}</th>
              {decisions.map(({ action, allowed, reason }) => (
                <td key={action}>
                  <StateLabel tone={allowed ? 'ok' : 'neutral'}>{allowed ? 'Yes' : 'No'}</StateLabel>
                  <span className={styles.reason}>{allowed ? reason : `needs: ${reason}`}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
