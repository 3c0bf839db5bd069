import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** server-behaviour 7.8: counts the rows of a table by tag, by name. */
export async function countTags(db: Db, from: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select tag as name, count(*) as count from ${from}, unnest(tags) as tag where ${where} group by tag order by lower(tag), tag`.execute(
    db,
  );
  return rows;
}

/** Q7: the condition for rows with all of the given tags. */
export const hasTags = (tags: string[]): RawBuilder<unknown> => (tags.length === 0 ? sql`true` : sql`tags @> ${tags}::text[]`);
