import { describe, expect, test } from 'vitest';
import { QueryFlag } from './query-flag.ts';

describe('1.2: booleans in a query string', () => {
  test.each(['true', 'True', 'TRUE', '1', 'yes', 'YES', 'y', 'on', 'On', ' true '])('%j means yes', (text) => {
    expect(QueryFlag.parse(text)).toBe(true);
  });
  test.each(['false', 'False', '0', 'no', 'n', 'off', 'OFF'])('%j means no', (text) => {
    expect(QueryFlag.parse(text)).toBe(false);
  });
  test.each(['', '2', 'maybe', 'null', '__proto__', 'constructor'])('%j is refused', (text) => {
    expect(QueryFlag.safeParse(text).success).toBe(false);
  });
});
