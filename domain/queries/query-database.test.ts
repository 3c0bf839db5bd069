import { expect, test } from 'vitest';
import { databaseOf, withDatabase } from './query-database.ts';

test('Q3: the chosen database is read from whatever was stored', () => {
  expect(databaseOf({ schemaOptions: { selectedDatabase: 'archive' } })).toBe('archive');
  for (const schemaOptions of [
    undefined,
    null,
    'archive',
    7,
    [],
    {},
    { selectedDatabase: '' },
    { selectedDatabase: 7 },
    { selectedDatabase: 'a\0b' },
  ]) {
    expect(databaseOf({ schemaOptions })).toBeNull();
  }
});

test('choosing one leaves the rest of the options alone', () => {
  const options = { parameters: [], schemaOptions: { other: 1 } };
  expect(withDatabase(options, 'archive')).toEqual({ parameters: [], schemaOptions: { other: 1, selectedDatabase: 'archive' } });
  expect(withDatabase(withDatabase(options, 'archive'), null)).toEqual(options);
  expect(withDatabase({ parameters: [] }, null)).toEqual({ parameters: [] });
});
