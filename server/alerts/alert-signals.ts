import type { AlertState } from '@telltale/domain/alerts/options.ts';
import { defineSignal } from '../platform/signals.ts';

/** An evaluation that causes notices or commands: a change of state, or a repetition by rearm (A4). */
export interface AlertFired {
  alert_id: number;
  alert_name: string;
  evaluation_id: number;
  state: AlertState;
  previous_state: AlertState;
  value: unknown;
  /** Null for alerts on queries. */
  device: { pk: number; device_id: string; channel_id: string } | null;
  /** A muted alert sends no notices, but its state still changes. */
  is_muted: boolean;
  /** Each subscriber that starts something adds its name here; the evaluation records the names. */
  started: string[];
}

/** Emitted in the transaction that changes the state, so that linked commands are queued in it (commands). */
export const alertFired = defineSignal<AlertFired>('alertFired');
