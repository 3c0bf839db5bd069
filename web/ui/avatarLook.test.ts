import { expect, test } from 'vitest';
import { avatarHue, initials, isLocalImage } from './avatarLook.ts';

test('initials are the first letters of the first and the last word', () => {
  expect(initials('Ada Lovelace')).toBe('AL');
  expect(initials('Ada King, Countess of Lovelace')).toBe('AL');
  expect(initials('ada')).toBe('A');
  expect(initials('élodie (ops)')).toBe('ÉO');
  expect(initials('  ')).toBe('?');
});

test('a name keeps its colour', () => {
  expect(avatarHue('Ada Lovelace')).toBe(avatarHue(' ada lovelace'));
  expect(avatarHue('Ada')).not.toBe(avatarHue('Bob'));
  expect(avatarHue('x'.repeat(400))).toBeLessThan(360);
});

test('only pictures of this server are loaded', () => {
  expect(isLocalImage('/static/avatar.png')).toBe(true);
  for (const other of ['', undefined, 'https://example.com/a.png', '//example.com/a.png', '/\\example.com', 'data:image/png;base64,']) {
    expect(isLocalImage(other)).toBe(false);
  }
});
