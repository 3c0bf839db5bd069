import EditOutlined from '@ant-design/icons/EditOutlined';
import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined';
import FullscreenExitOutlined from '@ant-design/icons/FullscreenExitOutlined';
import FullscreenOutlined from '@ant-design/icons/FullscreenOutlined';
import ShareAltOutlined from '@ant-design/icons/ShareAltOutlined';
import { dashboardAclApi, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useFullscreen } from '../../layout/useFullscreen.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { InlineEdit } from '../../ui/InlineEdit.tsx';
import { Label } from '../../ui/Label.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { DashboardStar } from '../DashboardStar.tsx';
import type { WidgetRuns } from '../runs/WidgetRuns.ts';
import type { DashboardState } from '../useDashboard.ts';
import { useUrlFlags } from '../useUrlFlags.ts';
import styles from './DashboardHeader.module.css';
import { EditControls, type Saving } from './EditControls.tsx';
import { RefreshButton } from './RefreshButton.tsx';
import { RunsSummary } from './RunsSummary.tsx';
import { useDashboardMenu } from './useDashboardMenu.ts';

const TagsDialog = lazy(() => import('../../ui/TagsDialog.tsx').then((m) => ({ default: m.TagsDialog })));
const AnnotationsDialog = lazy(() => import('../annotations/AnnotationsDialog.tsx'));
const ShareDialog = lazy(() => import('../dialogs/ShareDialog.tsx'));
const PermissionsDialog = lazy(() => import('../../permissions/PermissionsDialog.tsx').then((m) => ({ default: m.PermissionsDialog })));

export type HeaderDialog = 'tags' | 'share' | 'permissions' | 'annotations' | null;

interface DashboardHeaderProps {
  state: DashboardState;
  runs: WidgetRuns;
  saving: Saving;
  isEditing: boolean;
  isNarrow: boolean;
  interval: number | null;
  dueAt: number | null;
}

/** Screens 9.1 */
export function DashboardHeader({ state, runs, saving, isEditing, isNarrow, interval, dueAt }: DashboardHeaderProps) {
  const { dashboard, canEdit, isOwner, save } = state;
  const { client_config } = useSession();
  const fullscreen = useFullscreen();
  const flags = useUrlFlags();
  const [dialog, setDialog] = useState<HeaderDialog>(null);
  const close = () => setDialog(null);
  const menu = useDashboardMenu(state, { edit: () => flags.set(isNarrow ? { reorder: '' } : { edit: '' }), isNarrow, open: setDialog });
  const { is_draft, is_archived, publicAccessEnabled } = dashboard;
  const isShareOffered = isOwner && !client_config.disablePublicUrls && (publicAccessEnabled || !is_draft);

  const publish = () => void save({ is_draft: false }, { hasVersion: false }).catch(() => {});
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <DashboardStar dashboard={dashboard} />
        <h1>
          <InlineEdit
            value={dashboard.name}
            label="Dashboard name"
            isEditable={isEditing}
            ignoreBlanks
            maxLength={100}
            onSave={(name) => save({ name })}
          />
        </h1>
        <Tooltip title={dashboard.user.name}>
          <span className={styles.author}>
            <Avatar name={dashboard.user.name} image={dashboard.user.profile_image_url} />
          </span>
        </Tooltip>
        {is_draft && !is_archived && <Label>Unpublished</Label>}
        {is_archived && <Label>Archived</Label>}
        <span className={styles.tags}>
          {dashboard.tags.map((tag) => (
            <Label key={tag} to={`/dashboards?tags=${encodeURIComponent(tag)}`}>
              {tag}
            </Label>
          ))}
          {canEdit && (
            <Button
              size="small"
              type="text"
              icon={dashboard.tags.length > 0 ? <EditOutlined /> : null}
              aria-label={dashboard.tags.length > 0 ? 'Edit tags' : 'Add tag (Edit tags)'}
              onClick={() => setDialog('tags')}
            >
              {dashboard.tags.length > 0 ? null : 'Add tag'}
            </Button>
          )}
        </span>
      </div>
      <div className={styles.actions}>
        {isEditing ? (
          <EditControls saving={saving} onDone={() => flags.set({ edit: null, reorder: null })} reload={state.reload} />
        ) : (
          <>
            <RunsSummary runs={runs} />
            {is_draft && canEdit && <Button onClick={publish}>Publish</Button>}
            {!is_archived && (
              <RefreshButton runs={runs} interval={interval} dueAt={dueAt} onInterval={(refresh) => flags.set({ refresh })} />
            )}
            {!is_archived && !is_draft && fullscreen.isOffered && (
              <Tooltip title={`${fullscreen.isFullscreen ? 'Disable' : 'Enable'} Fullscreen display`}>
                <Button
                  icon={fullscreen.isFullscreen ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
                  aria-label={`${fullscreen.isFullscreen ? 'Disable' : 'Enable'} Fullscreen display`}
                  onClick={fullscreen.toggle}
                />
              </Tooltip>
            )}
            {isShareOffered && (
              <Tooltip title="Dashboard Sharing Options">
                <Button
                  icon={<ShareAltOutlined />}
                  type={publicAccessEnabled ? 'primary' : 'default'}
                  aria-label="Dashboard Sharing Options"
                  onClick={() => setDialog('share')}
                />
              </Tooltip>
            )}
            {menu.items.length > 0 && <MenuButton icon={<EllipsisOutlined />} aria-label="More actions" menu={menu} />}
          </>
        )}
      </div>
      <Suspense>
        {dialog === 'tags' && <Tags state={state} onClose={close} />}
        {dialog === 'annotations' && <AnnotationsDialog dashboardId={dashboard.id} onClose={close} />}
        {dialog === 'share' && <ShareDialog state={state} onClose={close} />}
        {dialog === 'permissions' && (
          <PermissionsDialog thing="dashboard" acl={dashboardAclApi} id={dashboard.id} author={dashboard.user} onClose={close} />
        )}
      </Suspense>
    </header>
  );
}

function Tags({ state, onClose }: { state: DashboardState; onClose: () => void }) {
  const known = useRead(dashboardsApi.tags, {});
  return (
    <TagsDialog
      tags={state.dashboard.tags}
      known={known.isError ? [] : known.data?.tags.map(({ name }) => name)}
      onSave={(tags) => state.save({ tags })}
      onClose={onClose}
    />
  );
}
