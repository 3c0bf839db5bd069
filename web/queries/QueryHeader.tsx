import EditOutlined from '@ant-design/icons/EditOutlined';
import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined';
import SendOutlined from '@ant-design/icons/SendOutlined';
import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { Button, type MenuProps } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { recordEvent } from '../api/events.ts';
import { useCan, useSession } from '../api/session.ts';
import { confirm } from '../ui/confirm.tsx';
import { InlineEdit } from '../ui/InlineEdit.tsx';
import { Label } from '../ui/Label.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { notify } from '../ui/notify.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { useSmallScreen } from '../ui/useMatches.ts';
import { FavoriteStar } from './FavoriteStar.tsx';
import styles from './QueryHeader.module.css';
import type { EditedQuery } from './useEditedQuery.ts';
import { useArchiveQuery, useRestoreQuery } from './useQueryWrites.ts';

const TagsDialog = lazy(() => import('./dialogs/TagsDialog.tsx'));
const ApiKeyDialog = lazy(() => import('./dialogs/ApiKeyDialog.tsx'));
const PermissionsDialog = lazy(() => import('../permissions/PermissionsDialog.tsx').then((m) => ({ default: m.PermissionsDialog })));
const HistoryDialog = lazy(() => import('./versions/HistoryDialog.tsx'));
const ScheduleDialog = lazy(() => import('./dialogs/ScheduleDialog.tsx'));

type OpenDialog = 'tags' | 'key' | 'schedule' | 'permissions' | 'history' | null;

interface QueryHeaderProps {
  edited: EditedQuery;
  /** View-only access to the query's source. */
  isViewOnly: boolean;
  /** Further actions of the page. */
  children?: ReactNode;
  /** Called before leaving for good, so that the leave guard does not ask about unsaved text. */
  onLeave?: () => void;
  /** Puts an older text into the editor; undefined where there is none. */
  onText?: ((text: string) => void) | undefined;
}

const archivedTip = "This query is archived and can't be used in dashboards, or appear in search results.";

/** Screens 5.2: the name of the query, its state, and its actions. */
export function QueryHeader({ edited, isViewOnly, children, onLeave, onText }: QueryHeaderProps) {
  const { saved, canEdit, name, tags } = edited;
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  const isSmall = useSmallScreen();

  const rename = async (next: string) => {
    await edited.saveDetails({ name: next });
    if (saved) recordEvent('edit_name', 'query', saved.id);
  };
  const publish = () => {
    if (saved) recordEvent('toggle_published', 'query', saved.id);
    void edited.saveDetails({ is_draft: false }, { message: 'Query saved and published' }).catch(() => {});
  };
  const canPublish = saved?.is_draft === true && canEdit;
  const menu = useQueryMenu({
    edited,
    isViewOnly,
    open: setDialog,
    onLeave,
    hasEditor: onText !== undefined,
    publish: canPublish && isSmall ? publish : undefined,
  });

  return (
    <header className={styles.header}>
      <div className={styles.title}>
        {saved && <FavoriteStar query={saved} />}
        <h1>
          <InlineEdit value={name} label="Query name" onSave={rename} isEditable={canEdit} ignoreBlanks maxLength={255} />
        </h1>
        {saved?.is_draft && !saved.is_archived && <Label>Unpublished</Label>}
        {saved?.is_archived && (
          <Tooltip title={archivedTip}>
            <span>
              <Label>Archived</Label>
            </span>
          </Tooltip>
        )}
        <span className={styles.tags}>
          {tags.map((tag) => (
            <Label key={tag} to={`/queries?tags=${encodeURIComponent(tag)}`}>
              {tag}
            </Label>
          ))}
          {saved && canEdit && (
            <Button
              size="small"
              type="text"
              icon={tags.length > 0 ? <EditOutlined /> : null}
              aria-label={tags.length > 0 ? 'Edit tags' : 'Add tag (Edit tags)'}
              onClick={() => setDialog('tags')}
            >
              {tags.length > 0 ? null : 'Add tag'}
            </Button>
          )}
        </span>
      </div>
      <div className={styles.actions}>
        {canPublish && !isSmall && (
          <Button icon={<SendOutlined />} onClick={publish}>
            Publish
          </Button>
        )}
        {children}
        {menu && <MenuButton icon={<EllipsisOutlined />} aria-label="More actions" menu={menu} />}
      </div>
      <Suspense>
        {dialog === 'tags' && <TagsDialog edited={edited} onClose={close} />}
        {dialog === 'key' && <ApiKeyDialog edited={edited} onClose={close} />}
        {dialog === 'schedule' && <ScheduleDialog edited={edited} onClose={close} />}
        {dialog === 'history' && saved && onText && (
          <HistoryDialog queryId={saved.id} text={edited.text} onRestore={onText} onClose={close} />
        )}
        {dialog === 'permissions' && saved && (
          <PermissionsDialog thing="query" acl={queryAclApi} id={saved.id} author={saved.user} onClose={close} />
        )}
      </Suspense>
    </header>
  );
}

interface QueryMenuOptions extends Pick<QueryHeaderProps, 'edited' | 'isViewOnly' | 'onLeave'> {
  open: (dialog: OpenDialog) => void;
  hasEditor: boolean;
  /** Publishes from the menu, where there is no room for a button. */
  publish: (() => void) | undefined;
}

function useQueryMenu({ edited, isViewOnly, open, onLeave, hasEditor, publish }: QueryMenuOptions): MenuProps | null {
  const can = useCan();
  const { client_config, user } = useSession();
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const archive = useArchiveQuery();
  const restore = useRestoreQuery();
  const { saved, canEdit } = edited;
  if (!saved) return null;
  const mayEdit = can('edit_query') && saved.can_edit === true;
  // Others with the right to edit neither delete nor restore it (policy `archive`).
  const isOwner = isOwnerOrAdmin(user, saved.user.id);

  const askToArchive = () =>
    confirm({
      title: 'Delete Query',
      content: `Are you sure you want to archive “${saved.name}”? All alerts and dashboard widgets created with its visualizations will be deleted.`,
      okText: 'Delete',
      danger: true,
      onOk: () => archive.mutateAsync({ params: { id: saved.id } }),
    }).then((isDone) => {
      if (!isDone) return;
      onLeave?.();
      // Deferred until the page's leave guard is updated.
      setTimeout(() => navigate(can('create_query') ? '/queries/my' : '/queries'));
    });
  const bringBack = async () => {
    const reply = await restore.mutateAsync({ params: { id: saved.id } });
    edited.setSaved(() => ({ ...reply, can_edit: true }));
  };
  const unpublish = () => {
    recordEvent('toggle_published', 'query', saved.id);
    void edited.saveDetails({ is_draft: true }).catch(() => {});
  };

  const entries: MenuProps['items'] = [
    {
      key: 'fork',
      label: 'Fork',
      disabled: !can('edit_query') || isViewOnly,
      onClick: () => void forkInTab(saved.id, `${search}${hash}`),
    },
    ...(canEdit && can('schedule_query') ? [{ key: 'schedule', label: 'Refresh Schedule', onClick: () => open('schedule') }] : []),
    ...(hasEditor ? [{ key: 'history', label: 'Version History', onClick: () => open('history') }] : []),
    ...(mayEdit ? [{ type: 'divider' as const }] : []),
    ...(canEdit && client_config.showPermissionsControl
      ? [{ key: 'permissions', label: 'Manage Permissions', onClick: () => open('permissions') }]
      : []),
    ...(publish ? [{ key: 'publish', label: 'Publish', onClick: publish }] : []),
    ...(canEdit && !saved.is_draft ? [{ key: 'unpublish', label: 'Unpublish', onClick: unpublish }] : []),
    ...(canEdit && isOwner ? [{ key: 'archive', label: 'Delete', danger: true, onClick: () => void askToArchive() }] : []),
    ...(mayEdit && isOwner && saved.is_archived ? [{ key: 'restore', label: 'Restore', onClick: () => void bringBack() }] : []),
    ...((saved.api_key || isOwner) && !client_config.disablePublicUrls
      ? [{ type: 'divider' as const }, { key: 'key', label: 'Show API Key', onClick: () => open('key') }]
      : []),
  ];
  return { items: entries };
}

/** Screens 16.15: the tab is opened before the request, because browsers block one that comes later. */
async function forkInTab(id: number, suffix: string): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const copy = await call(queriesApi.fork, { params: { id } });
    const address = `/queries/${copy.id}/source${suffix}`;
    if (tab) tab.location.href = address;
    else location.assign(address);
  } catch (error) {
    tab?.close();
    notify.error(error instanceof Error ? error.message : 'The query could not be forked.');
  }
}
