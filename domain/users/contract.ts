import { z } from 'zod';
import { ById, endpoint, Time } from '../endpoint.ts';
import { ListParams, page } from '../lists/contract.ts';
import { QueryFlag } from '../query-flag.ts';

/** server-behaviour 21.1: an account as others see it. */
const userFields = {
  id: z.int(),
  name: z.string(),
  email: z.string(),
  profile_image_url: z.string(),
  created_at: Time,
  updated_at: Time,
  disabled_at: Time.nullable(),
  is_disabled: z.boolean(),
  active_at: Time.nullable(),
  is_invitation_pending: z.boolean(),
  is_email_verified: z.boolean(),
  auth_type: z.enum(['password', 'external']),
};

const GroupName = z.object({ id: z.int(), name: z.string() });

/** In the list the groups have names, everywhere else only ids. */
export const ListedUser = z.object({ ...userFields, groups: z.array(GroupName), group_ids: z.array(z.int()) });
export type ListedUser = z.infer<typeof ListedUser>;

export const User = z.object({ ...userFields, groups: z.array(z.int()) });
export type User = z.infer<typeof User>;

/** Single-user answers: the key for the user and administrators, and a link when no mail could be sent (A8). */
export const UserDetail = User.extend({
  group_ids: z.array(z.int()),
  /** Ours: the groups with their names, for readers who are not in them. */
  named_groups: z.array(GroupName),
  api_key: z.string().optional(),
  invite_link: z.string().optional(),
  reset_link: z.string().optional(),
});
export type UserDetail = z.infer<typeof UserDetail>;

export const minPasswordLength = 6;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(320, 'Name is too long (at most 320 characters).');
/** Forms check more in the browser; the server accepts what a mail server would accept. */
const email = z
  .string('Bad email address.')
  .trim()
  .toLowerCase()
  .max(320, 'Bad email address.')
  .regex(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/, 'Bad email address.');

export const NewUser = z.object({ name, email });
export const UserChanges = z.object({
  id: z.int().optional(),
  name: name.optional(),
  email: email.optional(),
  group_ids: z.array(z.int()).max(1000).optional(),
  old_password: z.string().max(1024).optional(),
  password: z.string().max(1024).optional(),
});
export type UserChanges = z.output<typeof UserChanges>;

export const UserListParams = ListParams.extend({ pending: QueryFlag.optional(), disabled: QueryFlag.optional() });
export type UserListParams = z.output<typeof UserListParams>;

export const usersApi = {
  list: endpoint('GET', '/api/users', {
    needs: 'list_users',
    query: UserListParams,
    reply: page(ListedUser),
    summary: 'People of the organisation, a page at a time.',
  }),
  create: endpoint('POST', '/api/users', {
    needs: 'admin',
    query: z.object({ no_invite: z.string().optional() }),
    body: NewUser,
    reply: UserDetail,
    summary: 'Invites somebody; answers the link when mail is not configured.',
  }),
  get: endpoint('GET', '/api/users/:id', {
    needs: 'signed_in',
    params: ById,
    reply: UserDetail,
    summary: 'One account; one’s own carries its API key.',
  }),
  save: endpoint('POST', '/api/users/:id', {
    needs: 'signed_in',
    params: ById,
    body: UserChanges,
    reply: UserDetail,
    summary: 'Changes one’s own account, or as administrator any.',
  }),
  remove: endpoint('DELETE', '/api/users/:id', {
    needs: 'admin',
    params: ById,
    reply: User,
    summary: 'Deletes an invitation that was not accepted yet.',
  }),
  disable: endpoint('POST', '/api/users/:id/disable', {
    needs: 'admin',
    params: ById,
    reply: User,
    summary: 'Locks an account out at once.',
  }),
  enable: endpoint('DELETE', '/api/users/:id/disable', {
    needs: 'admin',
    params: ById,
    reply: User,
    summary: 'Lets a disabled account in again.',
  }),
  invite: endpoint('POST', '/api/users/:id/invite', {
    needs: 'admin',
    params: ById,
    reply: UserDetail,
    summary: 'Sends the invitation again.',
  }),
  resetPassword: endpoint('POST', '/api/users/:id/reset_password', {
    needs: 'admin',
    params: ById,
    reply: z.object({ reset_link: z.string().optional() }),
    summary: 'Sends a password reset; answers the link when mail is not configured.',
  }),
  regenerateKey: endpoint('POST', '/api/users/:id/regenerate_api_key', {
    needs: 'signed_in',
    params: ById,
    reply: UserDetail,
    summary: 'Replaces the API key; the old one stops working at once.',
  }),
  verificationEmail: endpoint('POST', '/verification_email/', {
    needs: 'signed_in',
    reply: z.object({ message: z.string() }),
    summary: 'Sends the e-mail verification link again.',
  }),
};
