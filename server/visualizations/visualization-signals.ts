import { defineSignal } from '../platform/signals.ts';

/** Somebody wants to delete a visualization. Whoever shows it may refuse by throwing (W21: no widget vanishes from other people's dashboards). */
export const visualizationRemoving = defineSignal<{ visualization_id: number; query_id: number }>('visualizationRemoving');
