import { builtInGroupId } from '../groups/groups.ts';
import { getOrganization, holdOrganization } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { type DataSourceRow, findByType, insertDataSource, linkGroup } from './data-sources.store.ts';
import { builtInType } from './data-sources.ts';

/** design 5: creates the source IoT data at the first start, with access for the default group. */
export async function ensureBuiltInSource(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await holdOrganization(tx);
    if (await findByType(tx.db, builtInType)) return;
    const { id: org_id } = await getOrganization(tx);
    const id = await insertDataSource(tx.db, { org_id, name: 'IoT data', type: builtInType, options_sealed: tx.secrets.seal('{}') });
    if (id) await linkGroup(tx.db, id, await builtInGroupId(tx.db, 'default'), false);
  });
}

/** Returns the built-in source without a permission check: callers check access themselves. */
export async function getBuiltInSource(ctx: Ctx): Promise<DataSourceRow> {
  const source = await findByType(ctx.db, builtInType);
  if (!source) throw notFound('The data source IoT data was');
  return source;
}
