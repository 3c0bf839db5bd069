import { useQueryClient } from '@tanstack/react-query';
import { alertsApi, type ListedAlert } from '@telltale/domain/alerts/contract.ts';
import { alertCommandsApi } from '@telltale/domain/commands/contract.ts';
import { useEffect } from 'react';
import type { ApiError } from '../api/call.ts';
import { type ReadOptions, useList, useRead, useWrite } from '../api/query.ts';
import { familyKey } from '../api/queryKey.ts';
import { notify } from '../ui/notify.tsx';

/** The interval of reloads, because states change by themselves. */
const againMs = 5000;

/** A9: 20 per page, the newest first. */
export function useAlerts() {
  const textOf = ({ name, state, user, query }: ListedAlert) => [name, state, user.name, query?.name].join('\n');
  return useList(alertsApi.list, {
    order: '-created_at',
    remember: 'alerts',
    textOf,
    orderPaths: { muted: 'options.muted' },
    refetchMs: againMs,
  });
}

export function useAlert(id: number) {
  const client = useQueryClient();
  const alert = useRead(alertsApi.get, { params: { id } }, { refetchInterval: againMs });
  const state = alert.data?.state;
  // The count beside "Alerts" is reloaded less often; it must not contradict the state on this page.
  useEffect(() => {
    if (state !== undefined) void client.invalidateQueries({ queryKey: familyKey(alertsApi.summary) });
  }, [client, state]);
  return alert;
}

type SettingOptions = ReadOptions<typeof alertsApi.querySetting>;
/** Reloaded like the alert itself, or the top row would be older than the state beside it. */
export const useQuerySetting = (query_id: number | undefined, options: SettingOptions = {}) =>
  useRead(
    alertsApi.querySetting,
    { query: { query_id: query_id ?? 0 } },
    {
      refetchInterval: againMs,
      ...options,
      enabled: query_id !== undefined,
      retry: false,
    },
  );

const log = { order: '', pageSize: 10, urlState: false, refetchMs: againMs } as const;
export const useEvaluations = (id: number) => useList(alertsApi.evaluations, { params: { id }, ...log });
export const useAlertDeliveries = (id: number) => useList(alertsApi.deliveries, { params: { id }, ...log });

/** The title of A8, and below it the server's message. */
const told = (title: string) => (error: ApiError) => {
  notify.error(title, { description: error.message });
  return null;
};

const lists = [alertsApi.list, alertsApi.summary, alertsApi.ofDevice];
const reads = [alertsApi.get, alertsApi.evaluations, alertsApi.deliveries, ...lists];

export const useCreateAlert = () => useWrite(alertsApi.create, { refresh: lists, saved: 'Saved.', failed: told('Failed saving alert.') });
export const useSaveAlert = () => useWrite(alertsApi.save, { refresh: reads, saved: 'Saved.', failed: told('Failed saving alert.') });
export const useDeleteAlert = () =>
  useWrite(alertsApi.remove, { refresh: lists, saved: 'Alert deleted successfully.', failed: told('Failed deleting alert.') });
export const useMuteAlert = () =>
  useWrite(alertsApi.mute, { refresh: reads, saved: 'Notifications have been muted.', failed: told('Failed muting notifications.') });
export const useUnmuteAlert = () =>
  useWrite(alertsApi.unmute, {
    refresh: reads,
    saved: 'Notifications have been restored.',
    failed: told('Failed restoring notifications.'),
  });
export const useEvaluateAlert = () =>
  useWrite(alertsApi.evaluate, { refresh: reads, saved: 'Evaluated.', failed: told('Failed evaluating alert.') });

export const useSubscriptions = (id: number) => useRead(alertsApi.subscriptions, { params: { id } });
const subscriptions = [alertsApi.subscriptions];
export const useSubscribe = () =>
  useWrite(alertsApi.subscribe, { refresh: subscriptions, saved: 'Subscribed.', failed: told('Failed saving subscription.') });
export const useUnsubscribe = () =>
  useWrite(alertsApi.unsubscribe, { refresh: subscriptions, saved: 'Unsubscribed.', failed: told('Failed unsubscribing.') });

export const useAlertCommands = (id: number) => useRead(alertCommandsApi.list, { params: { id } });
const commands = [alertCommandsApi.list];
export const useLinkCommand = () =>
  useWrite(alertCommandsApi.create, { refresh: commands, saved: 'Subscribed.', failed: told('Failed saving subscription.') });
export const useUnlinkCommand = () =>
  useWrite(alertCommandsApi.remove, { refresh: commands, saved: 'Unsubscribed.', failed: told('Failed unsubscribing.') });
