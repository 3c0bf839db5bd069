import { expect, test } from 'vitest';
import { ApiError, errorFrom, noConnectionMessage } from '../api/ApiError.ts';
import { errorText, isWorthAnotherTry } from './errorText.ts';

test('Q2: a page that is not there, is not allowed, or failed', () => {
  expect(errorText(new ApiError(404, 'Not found'))).toBe("It seems like the page you're looking for cannot be found.");
  expect(errorText(new ApiError(403, 'Forbidden'))).toBe('It seems like you don’t have permission to see this page.');
  expect(errorText(errorFrom(500, { message: 'The disk is full.' }))).toBe('The disk is full.');
  expect(errorText(errorFrom(502, '<html>Bad gateway</html>'))).toMatch(/^It seems like we encountered an error\./);
  expect(errorText(new ApiError(0, noConnectionMessage))).toBe(noConnectionMessage);
  expect(errorText(new TypeError('x is undefined'))).toMatch(/^It seems like we encountered an error\./);
});

test('only what can change by itself is worth another try', () => {
  expect(isWorthAnotherTry(new ApiError(503, 'Busy'))).toBe(true);
  expect(isWorthAnotherTry(new ApiError(0, 'No connection'))).toBe(true);
  expect(isWorthAnotherTry(new ApiError(404, 'Not found'))).toBe(false);
});
