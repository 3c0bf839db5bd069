import type { Kysely } from 'kysely';
import type { DB } from '../platform/database-types.ts';
import { addToTotal, listGoneWriters, rebuildLastValues } from './gone-writers.store.ts';

export { uplinkFigures } from './gone-writers.store.ts';

/**
 * Finishes the work of ended processes: last values of their last second, and their figures, which are added to the total of earlier ones.
 * Figures are cumulative, so a process that was only silent loses and doubles nothing.
 */
export async function settleGoneWriters(db: Kysely<DB>): Promise<void> {
  for (const { writer, since } of await listGoneWriters(db)) {
    await db.transaction().execute(async (tx) => {
      await rebuildLastValues(tx, since);
      await addToTotal(tx, writer);
    });
  }
}
