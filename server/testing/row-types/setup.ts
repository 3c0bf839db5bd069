import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, inject } from 'vitest';
import { takeExecuted, takeFaults, watchFields } from './checked-sql.ts';

watchFields();

/** A row type that lies fails the test that found it, even where the product has caught the consequences. */
function requireTrueTypes(): void {
  const faults = takeFaults();
  if (faults.length > 0) throw new Error(`Row types differ from what the database answers:\n${faults.join('\n')}`);
}

afterEach(requireTrueTypes);

afterAll(() => {
  const executed = takeExecuted();
  if (executed.length > 0) appendFileSync(join(inject('executedFolder'), String(process.pid)), `${executed.join('\n')}\n`);
  requireTrueTypes();
});
