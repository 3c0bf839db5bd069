import { expect, test } from 'vitest';
import { identifierFault, identifierFrom, identifierMessage, numberedIdentifier, tooLongMessage } from './identifiers.ts';

test.each(['abc', 'a1b', '123', 'a-b-c', 'roof-1', 'x'.repeat(36), '0-0'.concat('-0'.repeat(16))])('D5: %s is an identifier', (id) => {
  expect(identifierFault(id)).toBeNull();
});

test.each(['', 'a', 'ab', 'a-b-', '-abc', 'a--b', 'Abc', 'a_b', 'a b', 'äbc', 'abc\n', 'a/b', '$user', 'ab-', '../', "a'b", '１２３'])(
  'D5: %j is none',
  (id) => {
    expect(identifierFault(id)).toBe(identifierMessage);
  },
);

test('D5: the message, word for word', () => {
  expect(identifierMessage).toBe('invalid identifiers! value does not match regex pattern "^[a-z0-9](?:[-]?[a-z0-9]){2,}$');
});

test('design 8: at most 36 characters, and a megabyte costs nothing', () => {
  expect(identifierFault('x'.repeat(37))).toBe(tooLongMessage);
  expect(identifierFault('a-'.repeat(500_000))).toBe(tooLongMessage);
});

test.each([
  ['My sensors', 'my-sensors'],
  ['Roof, north side', 'roof-north-side'],
  ['Küche Süd', 'kuche-sud'],
  ['--a--', 'a-01'],
  ['A b', 'a-b-01'],
  ['Ab', 'ab-01'],
  ['x'.repeat(80), 'x'.repeat(36)],
  ['日本', ''],
])('an id is made from the name %j', (name, id) => {
  expect(identifierFrom(name)).toBe(id);
  if (id !== '') expect(identifierFault(identifierFrom(name))).toBeNull();
  if (id !== '') expect(identifierFault(numberedIdentifier(id, 12))).toBeNull();
});
