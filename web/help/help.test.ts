import { expect, test } from 'vitest';
import { helpAddress } from './help.ts';

test('help pages are ours unless the organisation names others', () => {
  expect(helpAddress('')).toBe('/help/index.html');
  expect(helpAddress('/help', 'account')).toBe('/help/account.html');
  expect(helpAddress('https://docs.example/telltale/', 'people')).toBe('https://docs.example/telltale/people.html');
});

test('an address of one page is taken as it is', () => {
  expect(helpAddress('https://docs.example/all.html', 'people')).toBe('https://docs.example/all.html');
});
