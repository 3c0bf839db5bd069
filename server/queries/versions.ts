import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import type { QueryVersion, QueryVersionDetail } from '@telltale/domain/queries/versions.ts';
import { findSourceRow } from '../data-sources/data-sources.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { may } from '../policy/policy.ts';
import { findUsersById } from '../users/users.ts';
import { getQuery } from './query-access.ts';
import { findVersion, listVersionRows } from './versions.store.ts';

/** design 8: the author, time and changed fields of each version. */
export async function listVersions(ctx: UserCtx, id: number, params: ArrayListParams) {
  await getQuery(ctx, id);
  const rows = await listVersionRows(ctx.db, id);
  const people = await peopleOf(ctx, rows);
  const versions = rows.map(({ user_id, ...row }): QueryVersion => ({ ...row, user: people(user_id) }));
  return arrayOrPage(versions, params, ({ user, fields }) => `${user?.name ?? ''} ${fields.join(' ')}`);
}

export async function readVersion(ctx: UserCtx, id: number, version: number): Promise<QueryVersionDetail> {
  const query = await getQuery(ctx, id);
  const row = await findVersion(ctx.db, id, version);
  if (!row) throw notFound('Version');
  // The version may have run on another source, and then its text belongs to that source (security 20).
  const source = (row.data_source_id !== null && (await findSourceRow(ctx, row.data_source_id))) || null;
  if (!may(ctx.user, 'view', 'query', { ...query, source })) throw forbidden();
  const { user_id, ...values } = row;
  return { ...values, user: (await peopleOf(ctx, [row]))(user_id) };
}

async function peopleOf(ctx: UserCtx, rows: { user_id: number | null }[]): Promise<(id: number | null) => QueryVersion['user']> {
  const users = await findUsersById(
    ctx,
    rows.flatMap(({ user_id }) => user_id ?? []),
  );
  return (id) => {
    const user = id === null ? undefined : users.get(id);
    return user ? { id: user.id, name: user.name, profile_image_url: user.profile_image_url } : null;
  };
}
