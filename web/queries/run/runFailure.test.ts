import { expect, test } from 'vitest';
import { isWorthRetrying, retryDelaysMs, runFailure } from './runFailure.ts';

test('Q8: a refusal with a job says what the job says', () => {
  const body = { job: { status: 4, error: 'No.' } };
  expect(runFailure({ status: 400, message: 'other', body })).toBe('No.');
  expect(runFailure({ status: 403, message: '', body: { job: { error: { message: 'Not you.' } } } })).toBe('Not you.');
});

test('Q8: a result that is gone, a message, no message', () => {
  expect(runFailure({ status: 404, message: 'Result not found', body: null })).toBe(
    'cached query result unavailable, please execute again.',
  );
  expect(runFailure({ status: 500, message: 'Oh', body: { message: 'Oh' } })).toBe('Oh');
  expect(runFailure({ status: 500, message: 'An error (500).', body: null })).toBe('Unknown error occurred. Please try again later.');
  expect(runFailure({ status: 0, message: 'No connection.', body: null })).toBe('No connection.');
});

test('Q8: four tries more after 1, 2, 4 and 8 s, but not for a refusal', () => {
  expect(retryDelaysMs).toEqual([1000, 2000, 4000, 8000]);
  expect([0, 503, 404, 403].map(isWorthRetrying)).toEqual([true, true, false, false]);
});
