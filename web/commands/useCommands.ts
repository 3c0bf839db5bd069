import { useQueryClient } from '@tanstack/react-query';
import { commandSubscriptionsApi, commandsApi, deliveriesApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import type { ApiError } from '../api/call.ts';
import { itemsOf } from '../api/itemsOf.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { queryKey } from '../api/queryKey.ts';
import { notify } from '../ui/notify.tsx';

/** A9 */
export const useCommands = () => useList(commandsApi.list, { order: '-created_at', remember: 'commands', textOf: ({ name }) => name });

export const useCommand = (id: number) => useRead(commandsApi.get, { params: { id } });

/** The commands for devices of a channel; null until they are loaded. */
export function useCommandsOf(channelId: string) {
  const { data, error } = useRead(commandsApi.list, {}, { enabled: channelId !== '' });
  const all = data && itemsOf(data);
  return { commands: all?.filter(({ channel_id }) => channel_id === channelId) ?? null, error };
}

/** The title is A8's text, the detail is the server's reason. */
const failed = (words: string) => (error: ApiError) => {
  notify.error(words, { description: error.message });
  return null;
};

const reads = [commandsApi.list, commandsApi.get];
/** Reads that sending, cancelling and deleting make stale: timelines and queues of devices. */
export const deliveryReads = [commandsApi.executions, commandsApi.deliveries, deliveriesApi.ofDevice, deliveriesApi.get];

export const useCreateCommand = () =>
  useWrite(commandsApi.create, { refresh: reads, saved: 'Command created successfully', failed: false });

export function useSaveCommand(saved: 'Command saved Successfully' | 'Commands saved successfully') {
  const client = useQueryClient();
  return useWrite(commandsApi.save, {
    refresh: reads,
    saved,
    failed: failed('Error while Saving Schedules'),
    // The form drops its edits now, and would show the old command until the reload arrives.
    onDone: (reply) => client.setQueryData(queryKey(commandsApi.get, { params: { id: reply.id } }), reply),
  });
}

export const useDeleteCommand = (onDone: () => unknown) =>
  useWrite(commandsApi.remove, {
    // The endpoint of the command's own page is not refreshed: it would be loaded once more and not be found.
    refresh: [commandsApi.list, deliveriesApi.ofDevice],
    saved: 'Command deleted Successfully',
    failed: failed('Error while delete Command'),
    onDone,
  });

export const useSendCommand = () =>
  useWrite(commandsApi.send, {
    refresh: deliveryReads,
    saved: ({ deliveries }) =>
      `Command sent to ${deliveries.length.toLocaleString('en')} ${deliveries.length === 1 ? 'device' : 'devices'}`,
    failed: false,
  });

export const useCancelDelivery = () => useWrite(deliveriesApi.cancel, { refresh: deliveryReads, saved: 'Delivery cancelled' });

export const useClearQueue = () =>
  useWrite(deliveriesApi.clearQueue, {
    refresh: deliveryReads,
    saved: ({ cancelled }) => `${cancelled.toLocaleString('en')} waiting ${cancelled === 1 ? 'command' : 'commands'} cancelled`,
  });

const scheduleReads = [schedulesApi.list];

export const useCreateSchedule = () =>
  useWrite(schedulesApi.create, {
    refresh: [...scheduleReads, ...deliveryReads],
    saved: 'Schedule created successfully',
    failed: failed('Error while  Creating Schedules'),
  });

export const useSaveSchedule = () =>
  useWrite(schedulesApi.save, {
    refresh: scheduleReads,
    saved: 'Schedule saved successfully',
    failed: failed('Error while Saving Schedules'),
  });

export const useDeleteSchedule = () =>
  useWrite(schedulesApi.remove, {
    refresh: scheduleReads,
    saved: 'Schedule deleted successfully',
    failed: failed('Error while deleting Schedules'),
  });

export const useResumeSchedule = () => useWrite(schedulesApi.resume, { refresh: scheduleReads, saved: 'Schedule resumed' });

export const useSubscriptions = (id: number) => useRead(commandSubscriptionsApi.list, { params: { id } });

const subscriptionReads = [commandSubscriptionsApi.list];
export const useSubscribe = () => useWrite(commandSubscriptionsApi.create, { refresh: subscriptionReads, failed: false });
export const useUnsubscribe = () =>
  useWrite(commandSubscriptionsApi.remove, { refresh: subscriptionReads, failed: 'Failed unsubscribing.' });
