import { defineSignal } from '../platform/signals.ts';

/** A query has a new latest result: its alerts are evaluated (design 4). `metadata` says which run gave it (server-behaviour 15.3). */
export const resultStored = defineSignal<{ query_id: number; result_id: number; metadata: Record<string, unknown> }>('resultStored');
