import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { userSessionsApi } from '@telltale/domain/users/sessions-contract.ts';
import type { Http } from '../platform/http/http.ts';
import { avatarSvg } from './avatar.ts';
import { addMember, listMembers, removeMember } from './members.ts';
import { listUserSessions, revokeOtherSessions, revokeSession } from './user-sessions.ts';
import {
  disableUser,
  enableUser,
  getUser,
  getUserRow,
  inviteAgain,
  inviteUser,
  listUsers,
  regenerateKey,
  removeUser,
  resendVerification,
  saveUser,
  sendPasswordReset,
} from './users.ts';

export function userRoutes(http: Http): void {
  http.on(usersApi.list, (ctx, { query }) => listUsers(ctx, query));
  http.on(usersApi.create, (ctx, { query, body }) => inviteUser(ctx, body, query.no_invite !== undefined));
  http.on(usersApi.get, (ctx, { params }) => getUser(ctx, params.id));
  http.on(usersApi.save, (ctx, { params, body }) => saveUser(ctx, params.id, body));
  http.on(usersApi.remove, (ctx, { params }) => removeUser(ctx, params.id));
  http.on(usersApi.disable, (ctx, { params }) => disableUser(ctx, params.id));
  http.on(usersApi.enable, (ctx, { params }) => enableUser(ctx, params.id));
  http.on(usersApi.invite, (ctx, { params }) => inviteAgain(ctx, params.id));
  http.on(usersApi.resetPassword, (ctx, { params }) => sendPasswordReset(ctx, params.id));
  http.on(usersApi.regenerateKey, (ctx, { params }) => regenerateKey(ctx, params.id));
  http.on(usersApi.verificationEmail, (ctx) => resendVerification(ctx));

  http.on(userSessionsApi.list, (ctx, { params }) => listUserSessions(ctx, params.id));
  http.on(userSessionsApi.revoke, (ctx, { params }) => revokeSession(ctx, params.id, params.sessionId));
  http.on(userSessionsApi.revokeOthers, (ctx, { params }) => revokeOtherSessions(ctx, params.id));

  http.on(groupsApi.members, (ctx, { params, query }) => listMembers(ctx, params.id, query));
  http.on(groupsApi.addMember, (ctx, { params, body }) => addMember(ctx, params.id, body.user_id));
  http.on(groupsApi.removeMember, (ctx, { params }) => removeMember(ctx, params.id, params.userId));

  http.page(
    { method: 'GET', path: '/avatars/:file', needs: 'signed_in', summary: 'Initials of a user as a picture.' },
    async (ctx, request, reply) => {
      const { file } = request.params as { file: string };
      const id = Number(/^(\d{1,9})\.svg$/.exec(file)?.[1] ?? 0);
      const { name } = await getUserRow(ctx, id);
      return reply.type('image/svg+xml').header('cache-control', 'private, max-age=3600').send(avatarSvg(id, name));
    },
  );
}
