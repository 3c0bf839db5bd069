import { useQueryClient } from '@tanstack/react-query';
import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { type Dashboard, type DashboardChanges, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { type NewWidget, type Widget, type WidgetChanges, widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { useCallback, useRef, useState } from 'react';
import { ApiError, call } from '../api/call.ts';
import { familyKey } from '../api/queryKey.ts';
import { useSession } from '../api/session.ts';
import { notify } from '../ui/notify.tsx';

export const dashboardLists = [dashboardsApi.list, dashboardsApi.my, dashboardsApi.favorites, dashboardsApi.recent];

/** D8 */
const conflictText = 'It seems like the dashboard has been modified by another user. Please copy/backup your changes and reload this page.';

export type DashboardState = ReturnType<typeof useDashboard>;

/** The current dashboard and its writes; every failure is notified here and thrown on. */
export function useDashboard(initial: Dashboard) {
  const client = useQueryClient();
  const { user } = useSession();
  const [dashboard, setDashboard] = useState(initial);
  const latest = useRef(dashboard);
  const set = useCallback((change: (before: Dashboard) => Dashboard) => {
    latest.current = change(latest.current);
    setDashboard(latest.current);
  }, []);
  const { id } = initial;

  const save = useCallback(
    async (changes: DashboardChanges, { hasVersion = true }: { hasVersion?: boolean } = {}) => {
      const body = hasVersion ? { ...changes, version: latest.current.version } : changes;
      try {
        const reply = await call(dashboardsApi.save, { params: { id }, body });
        set(() => reply);
        for (const list of [...dashboardLists, dashboardsApi.tags]) void client.invalidateQueries({ queryKey: familyKey(list) });
      } catch (error) {
        tellSaveFailure(error);
        throw error;
      }
    },
    [id, set, client],
  );

  const reload = useCallback(async () => {
    const reply = await call(dashboardsApi.get, { params: { id: String(id) } });
    set(() => reply);
  }, [id, set]);

  const put = useCallback(
    (widget: Widget) => set((before) => ({ ...before, widgets: before.widgets.map((one) => (one.id === widget.id ? widget : one)) })),
    [set],
  );
  const drop = useCallback(
    (ids: readonly number[]) => set((before) => ({ ...before, widgets: before.widgets.filter((one) => !ids.includes(one.id)) })),
    [set],
  );

  const addWidget = useCallback(
    async (widget: Omit<NewWidget, 'dashboard_id'>) => {
      const made = await told('Widget could not be added', call(widgetsApi.create, { body: { ...widget, dashboard_id: id } }));
      set((before) => ({ ...before, widgets: [...before.widgets, made] }));
      return made;
    },
    [id, set],
  );
  const saveWidget = useCallback(
    async (widget: Pick<Widget, 'id'>, changes: WidgetChanges, failure: string) => {
      put(await told(failure, call(widgetsApi.save, { params: { id: widget.id }, body: changes })));
    },
    [put],
  );
  const removeWidget = useCallback(
    async (widget: Pick<Widget, 'id'>) => {
      await told(null, call(widgetsApi.remove, { params: { id: widget.id } }).catch(unlessGone));
      drop([widget.id]);
    },
    [drop],
  );

  return {
    dashboard,
    /** D5 */
    canEdit: dashboard.can_edit && !dashboard.is_archived,
    isOwner: !dashboard.is_archived && isOwnerOrAdmin(user, dashboard.user_id),
    set,
    save,
    reload,
    drop,
    addWidget,
    saveWidget,
    removeWidget,
  };
}

const unlessGone = (error: unknown) => {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
};

/** Notifies of a failure with this message, or with the server's. */
async function told<T>(message: string | null, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    notify.error(
      message ?? (error instanceof Error ? error.message : 'Something went wrong.'),
      message ? { description: reasonOf(error) } : {},
    );
    throw error;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : '');

function tellSaveFailure(error: unknown): void {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 409) notify.error(conflictText, { duration: 0, key: 'dashboard-conflict' });
  else notify.error('Dashboard update failed', { description: status === 403 ? 'Permission Denied.' : reasonOf(error) });
}
