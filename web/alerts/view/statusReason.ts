import type { Alert } from '@telltale/domain/alerts/contract.ts';

const notEvaluated = 'Alert condition has not been evaluated.';

/** The reason why it did or did not notify at its last evaluation, or why its state is unknown (A4). */
export function statusReason({
  state,
  unknown_reason,
  last_evaluation,
}: Pick<Alert, 'state' | 'unknown_reason' | 'last_evaluation'>): string {
  if (state !== 'unknown') return last_evaluation?.reason ?? notEvaluated;
  // A changed alert is unknown as well: what was said about its former condition is left out.
  const reason = unknown_reason ?? (last_evaluation?.state === 'unknown' ? last_evaluation.reason : null);
  return reason ? `${notEvaluated} ${reason}` : notEvaluated;
}
