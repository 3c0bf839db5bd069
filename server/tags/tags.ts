import type { TagsReply } from '@telltale/domain/tags/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../platform/context.ts';

/** server-behaviour 7.8: how many rows of a table carry each tag, by name. */
export async function countTags(ctx: Ctx, from: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<TagsReply> {
  const { rows } = await sql<{ name: string; count: number }>`
    select tag as name, count(*) as count from ${from}, unnest(tags) as tag where ${where} group by tag order by lower(tag), tag`.execute(
    ctx.db,
  );
  return { tags: rows };
}

/** Q7: everything that carries all of the given tags. */
export const hasTags = (tags: string[]): RawBuilder<unknown> => sql`(${tags.length === 0} or tags @> ${tags}::text[])`;
