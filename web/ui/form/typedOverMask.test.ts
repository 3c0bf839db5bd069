import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { expect, test } from 'vitest';
import { typedOverMask } from './typedOverMask.ts';

test('text typed after or before the dashes of a saved secret replaces them', () => {
  expect(typedOverMask(secretMask, `${secretMask}a`)).toBe('a');
  expect(typedOverMask(secretMask, `a${secretMask}`)).toBe('a');
  expect(typedOverMask(secretMask, 'pasted')).toBe('pasted');
});

test('deleting one dash deletes the secret', () => {
  expect(typedOverMask(secretMask, secretMask.slice(1))).toBe('');
});

test('a secret of dashes that was typed stays', () => {
  expect(typedOverMask('-', '--')).toBe('--');
  expect(typedOverMask('', 'a-b')).toBe('a-b');
});
