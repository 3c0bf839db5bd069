import type { Delivery, DeliveryState, Execution } from '@telltale/domain/commands/delivery.ts';
import type { Tone } from '../../ui/StateLabel.tsx';

/** iot-behaviour 3.4: the label of each state. */
export const stateNames: Readonly<Record<DeliveryState, string>> = {
  pending: 'Pending',
  queued: 'Queued',
  sent: 'Sent',
  acknowledged: 'Acknowledged',
  nacked: 'Not acknowledged',
  waiting: 'Waiting for the effect',
  succeeded: 'Effect seen',
  failed: 'Failed',
  expired: 'Expired',
  replaced: 'Replaced',
  cancelled: 'Cancelled',
};

const tones: Readonly<Record<DeliveryState, Tone>> = {
  pending: 'neutral',
  queued: 'info',
  sent: 'info',
  acknowledged: 'ok',
  nacked: 'warning',
  waiting: 'info',
  succeeded: 'ok',
  failed: 'danger',
  expired: 'warning',
  replaced: 'neutral',
  cancelled: 'neutral',
};

/** `sent` is a good end only where nothing more is expected. */
export const toneOf = (state: DeliveryState, isFinal: boolean): Tone => (state === 'sent' && isFinal ? 'ok' : tones[state]);

const reasons: Readonly<Record<string, string>> = {
  condition_not_met: 'the device did not report the effect',
  no_answer: 'the device did not answer',
  device_deleted: 'the device was deleted',
  by_user: 'by a user',
  command_deleted: 'the command was deleted',
  channel_deleted: 'the channel was deleted',
  network_auth: 'the network refused our credentials',
  no_network_answer: 'the network did not answer',
  type_mismatch: 'the reported value is of another kind than the condition',
  offline: 'the device is offline',
  rate_limit: 'waits for its turn in the channel',
};

/** Codes without a sentence here are shown as words; sentences of networks and scripts stay as they are. */
export const reasonText = (reason: string): string => reasons[reason] ?? (reason.includes(' ') ? reason : reason.replaceAll('_', ' '));

export const attemptText = ({ attempt, max_attempts }: Pick<Delivery, 'attempt' | 'max_attempts'>): string | null =>
  max_attempts > 1 && attempt > 0 ? `attempt ${attempt} of ${max_attempts}` : null;

/** The sender of an execution. */
export function sourceText({ source, user }: Pick<Execution, 'source' | 'user'>): string {
  if (source === 'schedule') return 'Sent by a schedule';
  if (source === 'alert') return 'Sent by an alert';
  return user ? `Sent by ${user.name}` : 'Sent';
}
