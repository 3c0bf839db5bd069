import { z } from 'zod';
import { ById, Empty, endpoint, Id } from '../endpoint.ts';
import { User } from '../users/contract.ts';
import type { Permission } from './permissions.ts';

/** server-behaviour 17: only `modify` has an effect; the others are kept because clients may send them. */
export const accessTypes = ['view', 'modify', 'delete'] as const;
export type AccessType = (typeof accessTypes)[number];
export type GrantedType = 'queries' | 'dashboards';

export const Grant = z.object({
  id: z.int(),
  object_id: z.int(),
  object_type: z.enum(['queries', 'dashboards']),
  access_type: z.enum(accessTypes),
  grantor: z.int().nullable(),
  grantee: z.int(),
});
export type Grant = z.infer<typeof Grant>;

/** The users with access beside the author and administrators, by kind of access. */
export const Grants = z.partialRecord(z.enum(accessTypes), z.array(User));
export type Grants = z.infer<typeof Grants>;

const GrantChange = z.object({
  access_type: z.enum(accessTypes, 'Unknown access type.'),
  user_id: Id,
});

/** The same calls for every object that others can be given access to. */
export const aclApi = (path: `/api/${string}/:id`, needs: Permission) => ({
  list: endpoint('GET', `${path}/acl`, { needs, params: ById, reply: Grants, summary: 'Who was given which access, by kind of access.' }),
  grant: endpoint('POST', `${path}/acl`, {
    needs,
    params: ById,
    body: GrantChange,
    reply: Grant,
    summary: 'Lets somebody edit this, for its author and administrators; repeating it changes nothing.',
  }),
  revoke: endpoint('DELETE', `${path}/acl`, {
    needs,
    params: ById,
    body: GrantChange,
    reply: Empty,
    summary: 'Takes access away again, for its author and administrators.',
  }),
  check: endpoint('GET', `${path}/acl/:accessType`, {
    needs,
    params: ById.extend({ accessType: z.string().max(20) }),
    reply: z.object({ response: z.boolean() }),
    summary: 'Whether the caller was given this access.',
  }),
});
