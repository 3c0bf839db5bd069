import { expect, test } from 'vitest';
import { shortcutOf } from './shortcuts.ts';

const none = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const enter = { ...none, key: 'Enter', code: 'Enter' };

test('screens 1.5: four ways to execute, Enter alone is none', () => {
  expect(shortcutOf(enter)).toBeNull();
  for (const key of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey']) expect(shortcutOf({ ...enter, [key]: true })).toBe('execute');
  expect(shortcutOf({ ...enter, ctrlKey: true, shiftKey: true })).toBe('execute-statement');
});

test('screens 1.5: save, format, side bar; print and find stay the browser’s', () => {
  expect(shortcutOf({ ...none, key: 's', code: 'KeyS', metaKey: true })).toBe('save');
  expect(shortcutOf({ ...none, key: 'F', code: 'KeyF', ctrlKey: true, shiftKey: true })).toBe('format');
  expect(shortcutOf({ ...none, key: 'd', code: 'KeyD', altKey: true, shiftKey: true })).toBe('toggle-side');
  expect(shortcutOf({ ...none, key: 'p', code: 'KeyP', ctrlKey: true })).toBeNull();
  expect(shortcutOf({ ...none, key: 'f', code: 'KeyF', ctrlKey: true })).toBeNull();
});
