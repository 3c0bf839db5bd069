import type { Evaluation } from '@telltale/domain/alerts/contract.ts';
import { expect, test } from 'vitest';
import { statusReason } from './statusReason.ts';

const evaluation = (state: Evaluation['state'], reason: string): Evaluation => ({
  id: 1,
  evaluated_at: '2026-01-31T08:30:00Z',
  value: null,
  threshold: 10,
  state,
  previous_state: 'ok',
  notified: false,
  outcome: 'unchanged',
  reason,
});

test('A4: unknown says that the condition has not been evaluated, and then why', () => {
  const unknown = { state: 'unknown', unknown_reason: null, last_evaluation: null } as const;
  expect(statusReason(unknown)).toBe('Alert condition has not been evaluated.');
  expect(statusReason({ ...unknown, unknown_reason: 'The result has no rows.' })).toBe(
    'Alert condition has not been evaluated. The result has no rows.',
  );
  expect(statusReason({ ...unknown, last_evaluation: evaluation('unknown', 'Nobody was notified: there is no value.') })).toBe(
    'Alert condition has not been evaluated. Nobody was notified: there is no value.',
  );
  expect(statusReason({ ...unknown, last_evaluation: evaluation('triggered', 'Sent to Hook.') })).toBe(
    'Alert condition has not been evaluated.',
  );
});

test('other states say what became of the last evaluation', () => {
  const ok = { state: 'ok', unknown_reason: null, last_evaluation: evaluation('ok', 'Sent to Hook.') } as const;
  expect(statusReason(ok)).toBe('Sent to Hook.');
});
