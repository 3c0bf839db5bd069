import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import { recordEvent } from '../events/events.ts';
import { getGroup } from '../groups/groups.ts';
import type { UserCtx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { changeLink, linkGroup, listSourcesOfGroup, unlinkGroup } from './data-sources.store.ts';
import { dataSourceAnswer, getDataSource } from './data-sources.ts';

/** Lists each source with this group's access to it. */
export async function listGroupSources(ctx: UserCtx, groupId: number, params: ArrayListParams) {
  await getGroup(ctx, groupId);
  const rows = await listSourcesOfGroup(ctx.db, groupId);
  const answers = rows.map((row) => dataSourceAnswer(row, row.groups.find(({ group_id }) => group_id === groupId)?.view_only ?? false));
  return arrayOrPage(answers, params, ({ name }) => name);
}

async function answer(ctx: UserCtx, groupId: number, id: number): Promise<DataSource> {
  const row = await getDataSource(ctx, id);
  return dataSourceAnswer(row, row.groups.find(({ group_id }) => group_id === groupId)?.view_only ?? false);
}

export async function addGroupSource(ctx: UserCtx, groupId: number, id: number): Promise<DataSource> {
  await getGroup(ctx, groupId);
  await getDataSource(ctx, id);
  await linkGroup(ctx.db, id, groupId, false);
  await recordEvent(ctx, 'add_data_source', 'group', groupId, { data_source_id: id });
  return answer(ctx, groupId, id);
}

export async function changeGroupSource(ctx: UserCtx, groupId: number, id: number, viewOnly: boolean): Promise<DataSource> {
  await getGroup(ctx, groupId);
  if (!(await changeLink(ctx.db, id, groupId, viewOnly))) throw notFound('Data source');
  await recordEvent(ctx, 'change_data_source_permission', 'group', groupId, { data_source_id: id, view_only: viewOnly });
  return answer(ctx, groupId, id);
}

export async function removeGroupSource(ctx: UserCtx, groupId: number, id: number): Promise<null> {
  await getGroup(ctx, groupId);
  if (!(await unlinkGroup(ctx.db, id, groupId))) throw notFound('Data source');
  await recordEvent(ctx, 'remove_data_source', 'group', groupId, { data_source_id: id });
  return null;
}
