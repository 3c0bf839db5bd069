import type { RetryUntil } from '@telltale/domain/commands/command.ts';
import { compareReported, type Reported } from '@telltale/domain/commands/compare.ts';
import type { ProgressEvent } from '@telltale/domain/commands/progress.ts';

/** A reading of the attribute that a command is expected to change; `at` is in milliseconds. */
export interface Observed extends Reported {
  at: number;
  until: RetryUntil['options'];
}

/** iot-behaviour 3.5: summarises readings for a condition as one event of its delivery. */
export function conditionEvent(observed: readonly Observed[]): Extract<ProgressEvent, { kind: 'condition' }> {
  let trueAt: number | null = null;
  let falseAt: number | null = null;
  let isMismatch = false;
  for (const { at, until, ...reported } of observed) {
    const result = compareReported(reported, until.op, until.value);
    if (result === true) trueAt = Math.max(trueAt ?? at, at);
    else falseAt = Math.max(falseAt ?? at, at);
    if (result === 'mismatch') isMismatch = true;
  }
  return { kind: 'condition', trueAt, falseAt, isMismatch };
}
