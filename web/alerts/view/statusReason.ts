import type { Alert } from '@telltale/domain/alerts/contract.ts';

/** The reason why it did or did not notify at its last evaluation, or why its state is unknown (A4). */
export function statusReason({
  state,
  unknown_reason,
  last_evaluation,
}: Pick<Alert, 'state' | 'unknown_reason' | 'last_evaluation'>): string {
  if (state === 'unknown' && unknown_reason) return unknown_reason;
  return last_evaluation?.reason ?? 'Alert condition has not been evaluated.';
}
