import { defineSignal } from '../platform/signals.ts';

/** Q4: alerts and widgets of an archived query are removed with it. */
export const queryArchived = defineSignal<{ query_id: number }>('queryArchived');

/** A scheduled run failed or could not even start; emitted in the transaction that records it. */
export const scheduledRunFailed = defineSignal<{ query_id: number; message: string }>('scheduledRunFailed');
