import { defineSignal } from '../platform/signals.ts';

/** A visualization is about to be deleted. A listener may refuse by throwing (W21: no widget vanishes from other people's dashboards). */
export const visualizationRemoving = defineSignal<{ visualization_id: number; query_id: number }>('visualizationRemoving');
