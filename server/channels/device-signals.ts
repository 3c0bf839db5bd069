import { defineSignal } from '../platform/signals.ts';

/** Emitted when devices are deleted, alone or with their channel; subscribers cancel the work that is pending for them. */
export const devicesRemoved = defineSignal<{ device_pks: readonly number[] }>('devicesRemoved');
