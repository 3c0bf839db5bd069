import { expect, test } from 'vitest';
import { absoluteLink } from './absoluteLink.ts';

test('A8: a link is made absolute to the current host', () => {
  const page = 'https://iot.example.com:8443/users/new?page=2';
  expect(absoluteLink('/invite/abc', page)).toBe('https://iot.example.com:8443/invite/abc');
  expect(absoluteLink('invite/abc', page)).toBe('https://iot.example.com:8443/invite/abc');
  expect(absoluteLink('https://other.example.com/invite/abc', page)).toBe('https://other.example.com/invite/abc');
});
