import { defineSignal } from '../platform/signals.ts';

/** A query has a new latest result: its alerts are evaluated (design 4). */
export const resultStored = defineSignal<{ query_id: number; result_id: number }>('resultStored');
