import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import type { MenuProps } from 'antd';
import { useNavigate } from 'react-router';
import { useWrite } from '../../api/query.ts';
import { useCan, useSession } from '../../api/session.ts';
import { confirm } from '../../ui/confirm.tsx';
import { type DashboardState, dashboardLists } from '../useDashboard.ts';
import type { HeaderDialog } from './DashboardHeader.tsx';

interface MenuOptions {
  isNarrow: boolean;
  edit: () => void;
  open: (dialog: HeaderDialog) => void;
}

/** Screens 9.1 */
export function useDashboardMenu(state: DashboardState, { isNarrow, edit, open }: MenuOptions): { items: NonNullable<MenuProps['items']> } {
  const { dashboard, canEdit, isOwner, save } = state;
  const { client_config, user } = useSession();
  const can = useCan();
  const navigate = useNavigate();
  const archive = useWrite(dashboardsApi.archive, { refresh: [...dashboardLists, dashboardsApi.tags] });
  const fork = useWrite(dashboardsApi.fork, { refresh: dashboardLists, onDone: ({ url }) => navigate(`${url}?edit`) });

  const askToArchive = async () => {
    const isDone = await confirm({
      title: 'Delete Dashboard',
      content: `Are you sure you want to archive the "${dashboard.name}" dashboard? Its public address stops working.`,
      okText: 'Delete',
      danger: true,
      onOk: () => archive.mutateAsync({ params: { id: dashboard.id } }),
    });
    if (isDone) navigate('/dashboards');
  };
  const unpublish = () => void save({ is_draft: true }, { hasVersion: false }).catch(() => {});
  const unarchive = () => void save({ is_archived: false }, { hasVersion: false }).catch(() => {});

  const items: NonNullable<MenuProps['items']> = [
    // Screens 9.3 and complaint 30: a single column is not arranged, only reordered.
    ...(canEdit ? [{ key: 'edit', label: isNarrow ? 'Reorder' : 'Edit', onClick: edit }] : []),
    ...(canEdit && isNarrow ? [{ key: 'tags', label: 'Edit tags', onClick: () => open('tags') }] : []),
    ...(canEdit ? [{ key: 'annotations', label: 'Annotations', onClick: () => open('annotations') }] : []),
    ...(can('create_dashboard') ? [{ key: 'fork', label: 'Fork', onClick: () => fork.mutate({ params: { id: dashboard.id } }) }] : []),
    ...(isOwner && client_config.showPermissionsControl
      ? [{ key: 'permissions', label: 'Manage Permissions', onClick: () => open('permissions') }]
      : []),
    ...(canEdit && !dashboard.is_draft ? [{ key: 'unpublish', label: 'Unpublish', onClick: unpublish }] : []),
    ...(isOwner ? [{ key: 'archive', label: 'Delete', danger: true, onClick: () => void askToArchive() }] : []),
    ...(dashboard.is_archived && isOwnerOrAdmin(user, dashboard.user_id)
      ? [{ key: 'unarchive', label: 'Unarchive', onClick: unarchive }]
      : []),
  ];
  return { items };
}
