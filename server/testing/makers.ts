import type { Permission } from '@telltale/domain/access/permissions.ts';
import { defaultPermissions } from '@telltale/domain/access/permissions.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { insertDashboard, updateDashboard } from '../dashboards/dashboards.store.ts';
import { insertWidget } from '../dashboards/widgets.store.ts';
import { insertDataSource, linkGroup } from '../data-sources/data-sources.store.ts';
import { insertGroup } from '../groups/groups.store.ts';
import { builtInGroupId, replaceMemberships } from '../groups/groups.ts';
import { getOrganization } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { randomKey } from '../platform/secrets.ts';
import { insertQuery, insertVisualization, listVisualizations } from '../queries/queries.store.ts';
import { savedHash } from '../queries/query-text.ts';
import { hashPassword } from '../session/passwords.ts';
import { addUser, changeUser, getUserRow } from '../users/users.ts';

export interface MadeUser {
  id: number;
  name: string;
  email: string;
  password: string;
  api_key: string;
}

export interface Makers {
  user(options?: {
    name?: string;
    email?: string;
    groups?: ('admin' | 'default')[];
    group_ids?: number[];
    pending?: boolean;
  }): Promise<MadeUser>;
  group(options?: { name?: string; permissions?: readonly Permission[] }): Promise<{ id: number; name: string }>;
  keyOf(userId: number): Promise<string>;
  /** A source open to the default group, or to the listed ones: group → view only. */
  dataSource(options?: {
    name?: string;
    type?: string;
    options?: Record<string, unknown>;
    groups?: Record<number, boolean>;
  }): Promise<{ id: number; name: string }>;
  query(options: {
    data_source_id: number | null;
    user_id: number;
    name?: string;
    query?: string;
    options?: Partial<QueryOptions>;
  }): Promise<{ id: number; name: string; api_key: string; visualization_id: number }>;
  /** An empty dashboard; a draft unless it is published. */
  dashboard(options: { user_id: number; name?: string; is_draft?: boolean }): Promise<{ id: number; name: string; slug: string }>;
  /** A visualization of a query, or a text box. */
  widget(options: {
    dashboard_id: number;
    visualization_id?: number | null;
    text?: string;
    options?: WidgetOptions;
  }): Promise<{ id: number }>;
}

let count = 0;
/** The password of everybody, and its hash: making one takes a processor for 50 ms. */
export const password = 'a good password';
let hash: Promise<string> | undefined;
export const passwordHash = (): Promise<string> => {
  hash ??= hashPassword(password);
  return hash;
};

/** Makes objects through the rooms' own functions. */
export function makers(ctx: Ctx): Makers {
  const keyOf = async (userId: number) => ctx.secrets.open((await getUserRow(ctx, userId)).api_key_sealed);
  return {
    keyOf,
    async user({ name, email, groups = ['default'], group_ids = [], pending = false } = {}) {
      const n = ++count;
      const { id: org_id } = await getOrganization(ctx);
      const account = { name: name ?? `User ${n}`, email: email ?? `user-${n}@example.com` };
      const id = await addUser(ctx, { org_id, ...account, password_hash: pending ? null : await passwordHash() });
      if (pending) await changeUser(ctx, id, { is_invitation_pending: true });
      const builtIn = await Promise.all(groups.map((group) => builtInGroupId(ctx.db, group as 'admin' | 'default')));
      await replaceMemberships(ctx.db, id, [...builtIn, ...group_ids]);
      return { id, ...account, password, api_key: await keyOf(id) };
    },
    async group({ name, permissions = defaultPermissions } = {}) {
      const n = ++count;
      const { id: org_id } = await getOrganization(ctx);
      return insertGroup(ctx.db, org_id, name ?? `Group ${n}`, permissions);
    },
    async dataSource({ name, type = 'pg', options = {}, groups } = {}) {
      const n = ++count;
      const { id: org_id } = await getOrganization(ctx);
      const source = { name: name ?? `Source ${n}`, type };
      const id = (await insertDataSource(ctx.db, { org_id, ...source, options_sealed: ctx.secrets.seal(JSON.stringify(options)) })) ?? 0;
      const links = groups ?? { [await builtInGroupId(ctx.db, 'default')]: false };
      for (const [groupId, viewOnly] of Object.entries(links)) await linkGroup(ctx.db, id, Number(groupId), viewOnly);
      return { id, ...source };
    },
    async query({ data_source_id, user_id, name, query = 'select 1', options = {} }) {
      const n = ++count;
      const { id: org_id } = await getOrganization(ctx);
      const api_key = randomKey();
      const saved = { name: name ?? `Query ${n}`, query, data_source_id, options: { parameters: [], ...options } };
      const id = await insertQuery(ctx.db, {
        ...saved,
        org_id,
        user_id,
        description: null,
        schedule: null,
        tags: [],
        is_draft: true,
        query_hash: await savedHash(ctx, saved),
        api_key_hash: ctx.secrets.hash('api key', api_key),
        api_key_sealed: ctx.secrets.seal(api_key),
      });
      await insertVisualization(ctx.db, id, 'TABLE', 'Table');
      const [visualization] = await listVisualizations(ctx.db, id);
      return { id, name: saved.name, api_key, visualization_id: visualization?.id ?? 0 };
    },
    async dashboard({ user_id, name, is_draft = true }) {
      const n = ++count;
      const { id: org_id } = await getOrganization(ctx);
      const fields = { name: name ?? `Dashboard ${n}`, dashboard_filters_enabled: false, options: {}, tags: [] };
      const row = await insertDashboard(ctx.db, { ...fields, org_id, user_id, slug: `dashboard-${n}` });
      if (!row) throw new Error('This slug is taken.');
      if (!is_draft) await updateDashboard(ctx.db, row.id, { ...row, is_draft }, user_id);
      return { id: row.id, name: row.name, slug: row.slug };
    },
    async widget({ dashboard_id, visualization_id = null, text = '', options = {} }) {
      return { id: await insertWidget(ctx.db, { dashboard_id, visualization_id, text, width: 1, options }) };
    },
  };
}
