import { defineSignal } from '../platform/signals.ts';

/** A query has a new latest result: its alerts are looked at (design 4). */
export const resultStored = defineSignal<{ query_id: number; result_id: number }>('resultStored');
