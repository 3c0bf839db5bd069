import { z } from 'zod';
import { Permission } from '../access/permissions.ts';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { ArrayListParams, listOf } from '../lists/contract.ts';
import { User } from '../users/contract.ts';

export const Group = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(['builtin', 'regular']),
  permissions: z.array(Permission),
  /** design 8.1: whether its members see every channel, or only the group's own. */
  all_channels: z.boolean(),
  created_at: Time,
});
export type Group = z.infer<typeof Group>;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name is too long (at most 100 characters).');

/** The permissions that a group which is not built-in may have: never those of an administrator. */
export const GrantablePermission = Permission.exclude(['admin', 'super_admin']);
export const GroupChanges = z.object({
  name: name.optional(),
  permissions: z.array(GrantablePermission).max(50).optional(),
  all_channels: z.boolean().optional(),
});
export type GroupChanges = z.output<typeof GroupChanges>;

/** A channel of a group. */
export const GroupChannel = z.object({ channel_id: z.string(), channel_name: z.string(), kind: z.string() });
export type GroupChannel = z.infer<typeof GroupChannel>;
const ByChannel = z.object({ id: Id, channelId: z.string().max(100) });

const Member = z.object({ id: Id, userId: Id });

export const groupsApi = {
  list: endpoint('GET', '/api/groups', {
    needs: 'signed_in',
    query: ArrayListParams,
    reply: listOf(Group),
    summary: 'Groups: all for administrators, one’s own for others.',
  }),
  create: endpoint('POST', '/api/groups', {
    needs: 'admin',
    body: z.object({ name }),
    reply: Group,
    summary: 'Makes a group with the default permissions.',
  }),
  get: endpoint('GET', '/api/groups/:id', {
    needs: 'signed_in',
    params: ById,
    reply: Group,
    summary: 'One group, for its members and administrators.',
  }),
  save: endpoint('POST', '/api/groups/:id', {
    needs: 'admin',
    params: ById,
    body: GroupChanges,
    reply: Group,
    summary: 'Renames a group or changes its permissions.',
  }),
  remove: endpoint('DELETE', '/api/groups/:id', {
    needs: 'admin',
    params: ById,
    reply: Empty,
    summary: 'Deletes a group that is not built-in.',
  }),
  members: endpoint('GET', '/api/groups/:id/members', {
    needs: 'list_users',
    params: ById,
    query: ArrayListParams,
    reply: listOf(User),
    summary: 'Members of a group, for its members and administrators.',
  }),
  addMember: endpoint('POST', '/api/groups/:id/members', {
    needs: 'admin',
    params: ById,
    body: z.object({ user_id: Id }),
    reply: User,
    summary: 'Adds somebody to a group; repeating it changes nothing.',
  }),
  removeMember: endpoint('DELETE', '/api/groups/:id/members/:userId', {
    needs: 'admin',
    params: Member,
    reply: Empty,
    summary: 'Takes somebody out of a group.',
  }),
  channels: endpoint('GET', '/api/groups/:id/channels', {
    needs: 'admin',
    params: ById,
    query: ArrayListParams,
    reply: listOf(GroupChannel),
    summary: 'The channels that a group was given; they count while it does not see all of them.',
  }),
  addChannel: endpoint('POST', '/api/groups/:id/channels', {
    needs: 'admin',
    params: ById,
    body: z.object({ channel_id: z.string().max(100) }),
    reply: GroupChannel,
    summary: 'Gives a group a channel; repeating it changes nothing.',
  }),
  removeChannel: endpoint('DELETE', '/api/groups/:id/channels/:channelId', {
    needs: 'admin',
    params: ByChannel,
    reply: Empty,
    summary: 'Takes a channel away from a group.',
  }),
};
