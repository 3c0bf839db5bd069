import type { Permission } from '@telltale/domain/access/permissions.ts';
import { defaultPermissions } from '@telltale/domain/access/permissions.ts';
import { insertGroup } from '../groups/groups.store.ts';
import { builtInGroupId, replaceMemberships } from '../groups/groups.ts';
import { getOrganization } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
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
}

let count = 0;
const password = 'a good password';
let passwordHash: Promise<string> | undefined;

/** Each makes what it needs, straight through the rooms' own functions. */
export function makers(ctx: Ctx): Makers {
  const keyOf = async (userId: number) => ctx.secrets.open((await getUserRow(ctx, userId)).api_key_sealed);
  return {
    keyOf,
    async user({ name, email, groups = ['default'], group_ids = [], pending = false } = {}) {
      count++;
      const { id: org_id } = await getOrganization(ctx);
      const account = { name: name ?? `User ${count}`, email: email ?? `user-${count}@example.com` };
      passwordHash ??= hashPassword(password);
      const id = await addUser(ctx, { org_id, ...account, password_hash: pending ? null : await passwordHash });
      if (pending) await changeUser(ctx, id, { is_invitation_pending: true });
      const builtIn = await Promise.all(groups.map((group) => builtInGroupId(ctx.db, group as 'admin' | 'default')));
      await replaceMemberships(ctx.db, id, [...builtIn, ...group_ids]);
      return { id, ...account, password, api_key: await keyOf(id) };
    },
    async group({ name, permissions = defaultPermissions } = {}) {
      count++;
      const { id: org_id } = await getOrganization(ctx);
      return insertGroup(ctx.db, org_id, name ?? `Group ${count}`, permissions);
    },
  };
}
