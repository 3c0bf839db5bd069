import { startTestPostgres } from '../server/testing/postgres.ts';
import { writeSchemaTypes } from '../server/testing/schema-types.ts';

/** Writes server/platform/database-types.ts from a freshly migrated database. */
const postgres = await startTestPostgres();
try {
  await writeSchemaTypes(postgres.url);
} finally {
  await postgres.stop();
}
