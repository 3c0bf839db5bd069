import { defineSignal } from '../platform/signals.ts';

/** Q4: alerts and widgets of an archived query go with it. */
export const queryArchived = defineSignal<{ query_id: number }>('queryArchived');
