import { describe, expect, test } from 'vitest';
import { fallbackNext, safeNext } from './safe-next.ts';
import { hostileNexts } from './safe-next.vectors.ts';

describe('server-behaviour 27.7: where a sign-in goes', () => {
  test.each([
    ['queries', 'queries'],
    ['https://x.io', './'],
    ['//x.io', './'],
    ['//localhost/queries', '/queries'],
    ['////evil.com', './'],
    ['javascript:alert(1)', './'],
    ['file:https://x.io/a', './'],
    ['http:///evil.com', './'],
    ['/\\evil.com', './'],
    ['data:text/html,x', './'],
  ])('%s → %s', (given, expected) => {
    expect(safeNext(given)).toBe(expected);
  });

  test.each([
    ['/queries/1?p_a=b#c', '/queries/1?p_a=b#c'],
    ['https://console.example/queries/1?p_a=//x', '/queries/1?p_a=//x'],
    ['/search?q=https://x.io//y', '/search?q=https://x.io//y'],
    ['./dashboards', './dashboards'],
    ['/a/b:c', '/a/b:c'],
    ['?page=2', '?page=2'],
  ])('on-site: %s stays useful as %s', (given, expected) => {
    expect(safeNext(given)).toBe(expected);
  });
});

describe('security 14: no shape leads to another host', () => {
  test.each(hostileNexts.map((shape) => [shape]))('%j stays here', (shape) => {
    const next = safeNext(shape);
    const url = new URL(next, 'http://our.site/');
    expect(url.origin).toBe('http://our.site');
    expect(next.startsWith('//')).toBe(false);
    expect([...next].every((character) => character > ' ' && character !== '\\')).toBe(true);
    // The address as a browser resolves it from a page deeper in the site.
    expect(new URL(next, 'http://our.site/deep/er').origin).toBe('http://our.site');
  });

  test('nothing at all goes home', () => {
    expect(safeNext(undefined)).toBe(fallbackNext);
    expect(safeNext('')).toBe(fallbackNext);
  });
});
