import { expect, test } from 'vitest';
import { errorFrom, noConnectionMessage } from '../api/ApiError.ts';
import { ApiError } from '../api/call.ts';
import { saveFailure } from './saveFailure.ts';

test('A8: a failed save shows the server’s message, or "Failed saving." when it has none', () => {
  expect(saveFailure(errorFrom(400, { message: 'Host is required.' }))).toBe('Host is required.');
  expect(saveFailure(errorFrom(502, '<html>Bad gateway</html>'))).toBe('Failed saving.');
  expect(saveFailure(errorFrom(500, { message: '' }))).toBe('Failed saving.');
  expect(saveFailure(new TypeError('x is undefined'))).toBe('Failed saving.');
});

test('without a connection it says so', () => {
  expect(saveFailure(new ApiError(0, noConnectionMessage))).toBe(noConnectionMessage);
});
