import { sql } from 'kysely';
import { builtInGroupId } from '../groups/groups.ts';
import { getOrganization } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { type DataSourceRow, findByType, insertDataSource, linkGroup } from './data-sources.store.ts';
import { builtInType } from './data-sources.ts';

/** design 5: the source IoT data is there from the first start, open to the default group. */
export async function ensureBuiltInSource(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`select from organizations for update`.execute(tx.db);
    if (await findByType(tx.db, builtInType)) return;
    const { id: org_id } = await getOrganization(tx);
    const id = await insertDataSource(tx.db, { org_id, name: 'IoT data', type: builtInType, options_sealed: tx.secrets.seal('{}') });
    if (id) await linkGroup(tx.db, id, await builtInGroupId(tx.db, 'default'), false);
  });
}

/** Whoever asks for it here still has to show that they may use it. */
export async function getBuiltInSource(ctx: Ctx): Promise<DataSourceRow> {
  const source = await findByType(ctx.db, builtInType);
  if (!source) throw notFound('The data source IoT data was');
  return source;
}
