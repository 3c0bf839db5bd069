import { z } from 'zod';
import { Permission } from '../access/permissions.ts';
import { ById, endpoint, Id } from '../endpoint.ts';
import { ListParams, page } from '../lists/contract.ts';

export const accessObjects = ['data_source', 'query', 'dashboard', 'channel', 'alert', 'command'] as const;
export type AccessObject = (typeof accessObjects)[number];

const Decision = z.object({ action: z.string(), allowed: z.boolean(), reason: z.string() });
export const ObjectAccess = z.object({
  object_type: z.enum(accessObjects),
  object_id: z.string(),
  name: z.string(),
  actions: z.array(Decision),
});
export type ObjectAccess = z.infer<typeof ObjectAccess>;

/** design 8.1: what a user may see and do, and why. */
export const UserAccess = z.object({
  user: z.object({ id: Id, name: z.string(), email: z.string(), is_disabled: z.boolean() }),
  groups: z.array(z.object({ id: z.int(), name: z.string(), all_channels: z.boolean() })),
  permissions: z.array(z.object({ permission: Permission, allowed: z.boolean(), reason: z.string() })),
  objects: page(ObjectAccess),
});
export type UserAccess = z.infer<typeof UserAccess>;

export const accessApi = {
  ofUser: endpoint('GET', '/api/users/:id/access', {
    needs: 'admin',
    params: ById,
    query: ListParams.extend({ object_type: z.enum(accessObjects).default('data_source') }),
    reply: UserAccess,
    summary: 'What somebody may see and do, and why, by the rules that decide it.',
  }),
};
