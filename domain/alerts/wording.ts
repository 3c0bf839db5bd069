import type { EvaluationOutcome } from './contract.ts';

const units: readonly [name: string, seconds: number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** A4: the interval in the largest unit that divides it evenly. */
export function intervalText(seconds: number): string {
  const [name, size] = units.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

interface EvaluationFacts {
  outcome: EvaluationOutcome;
  rearm: number | null;
  /** The notified destinations and the commands it started. */
  targets: readonly string[];
  /** The reason why there is no value. */
  lack?: string | undefined;
}

/** "Why not?": the reason why an evaluation did or did not notify. */
export function reasonOf({ outcome, rearm, targets, lack }: EvaluationFacts): string {
  const because = lack ? `${lack} ` : '';
  switch (outcome) {
    case 'notified':
      return `${because}Sent to ${targets.slice(0, 5).join(', ')}${targets.length > 5 ? ` and ${targets.length - 5} more` : ''}.`;
    case 'muted':
      return `${because}Nobody was notified: notifications are muted.`;
    case 'no_destination':
      return `${because}Nobody was notified: the alert has no destinations.`;
    case 'rearm':
      return rearm
        ? `Nobody was notified: it is still triggered, and notifications are sent at most every ${intervalText(rearm)}.`
        : 'Nobody was notified: it is still triggered, and notifications are sent just once until back to normal.';
    case 'first_ok':
      return 'Nobody was notified: the first evaluation is normal.';
    case 'no_value':
      return `Nobody was notified: ${lack ?? 'there is no value.'}`;
    case 'source_paused':
    case 'query_failed':
      return `Not evaluated: ${lack ?? 'the query did not run.'}`;
    case 'pending':
    case 'unchanged':
      return 'Nobody was notified: the state has not changed.';
  }
}
