import { expect, test } from 'vitest';
import { QueryError } from '../connector.ts';
import { readPromRequest } from './promql.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const read = (text: string) => {
  const { query, isRange, parameters } = readPromRequest(text, now);
  return { query, isRange, ...Object.fromEntries(parameters) };
};

test.each([
  ['up', { query: 'up', isRange: false }],
  [' sum(rate(x[5m])) by (a) ', { query: 'sum(rate(x[5m])) by (a)', isRange: false }],
  ['query=up', { query: 'up', isRange: false }],
  ['query=up&time=2026-01-01T00:00:00Z', { query: 'up', isRange: false, time: '1767225600' }],
  [
    'query=up&start=2026-01-01&end=2026-01-02T00:00:00.500Z&step=60s',
    { query: 'up', isRange: true, start: '1767225600', end: '1767312000.5', step: '60s' },
  ],
  ['query=up&start=1767225600&step=60', { query: 'up', isRange: true, start: '1767225600', end: '1767323045', step: '60' }],
  ['query=up&start=now-1h&end=now&step=1m', { query: 'up', isRange: true, start: '1767319445', end: '1767323045', step: '1m' }],
  ['query=up&start=now-1h30m&step=1m', { query: 'up', isRange: true, start: '1767317645', end: '1767323045', step: '1m' }],
  ['query=up&start=now - 90 m&step=1m', { query: 'up', isRange: true, start: '1767317645', end: '1767323045', step: '1m' }],
  ['query=up&start=-1h&end=+30s&step=1m', { query: 'up', isRange: true, start: '1767319445', end: '1767323075', step: '1m' }],
  ['query=up&time=now-1y', { query: 'up', isRange: false, time: '1735787045' }],
  ['query=up&time=now-500ms', { query: 'up', isRange: false, time: '1767323044.5' }],
  [
    'query=a + b % 2&step=1&start=2026-01-01 10:00',
    { query: 'a + b % 2', isRange: true, start: '1767261600', step: '1', end: '1767323045' },
  ],
  ['query=x{a="b&c=d"}', { query: 'x{a="b&c=d"}', isRange: false }],
  ['query=a%20%2B%20b', { query: 'a + b', isRange: false }],
])('%j is read as %j', (text, request) => {
  expect(read(text)).toEqual(request);
});

test('the place of the expression in the text is known', () => {
  expect(readPromRequest('\n up').offset).toBe(2);
  expect(readPromRequest('query=up').offset).toBe(6);
  expect(readPromRequest('query=a%20b').offset).toBeUndefined();
});

test.each(['now-1M', 'now/d', 'now-', 'now-1', 'nowhere', 'Now-1h'])(
  'complaint 5: %s is no time and is reported with its place, not taken for now',
  (time) => {
    const error = (() => {
      try {
        return readPromRequest(`query=up\n&start=${time}&step=1m`, now);
      } catch (reason) {
        return reason;
      }
    })();
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toMatchObject({ message: expect.stringContaining(`'${time}' is not a time.`), line: 2, column: 8 });
  },
);
