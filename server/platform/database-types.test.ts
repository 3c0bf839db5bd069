import { expect, inject, test } from 'vitest';
import { cloneDatabase } from '../testing/postgres.ts';
import { writeSchemaTypes } from '../testing/schema-types.ts';

test('database-types.ts matches the migrations; `npm run schema-types` writes it again', async () => {
  const { url, drop } = await cloneDatabase(inject('postgres'), 'schema_types');
  try {
    await expect(writeSchemaTypes(url, '--verify')).resolves.toBeUndefined();
  } finally {
    await drop();
  }
});
