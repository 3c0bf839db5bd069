import { randomUUID } from 'node:crypto';
import { aChannel, admins, aGroup, app, type Expectations, everybody, listers, signedIn, unknownToken, withBody } from './callers.ts';

const somebodyElse = async () => ({ params: { id: (await app.make.user()).id } });
const anInvited = async () => ({ params: { id: (await app.make.user({ pending: true })).id } });
const aMember = async () => {
  const group = await app.make.group();
  return { params: { id: group.id, userId: (await app.make.user({ group_ids: [group.id] })).id } };
};

/** Ways to sign in, sessions, the organisation, users and groups. */
export const peopleRoutes: Expectations = {
  'GET /login': { answers: [200, 302, 302, 302] },
  'POST /login': everybody(400, () => ({ body: { email: 'nobody@example.com', password: 'wrong' } })),
  'GET /logout': everybody(302),
  'GET /setup': everybody(302),
  'POST /setup': everybody(404, () => ({ body: { code: 'X', name: 'x', email: 'x@example.com', password: 'xxxxxx', org_name: 'x' } })),
  'GET /forgot': everybody(200),
  'POST /forgot': everybody(200, () => ({ body: { email: 'nobody@example.com' } })),
  'GET /invite/:token': everybody(400, unknownToken),
  'POST /invite/:token': everybody(400, unknownToken),
  'GET /reset/:token': everybody(400, unknownToken),
  'POST /reset/:token': everybody(400, unknownToken),
  'GET /verify/:token': everybody(400, unknownToken),
  // Sign-in methods that are switched off do not exist.
  'GET /oauth/google': everybody(404),
  'GET /oauth/google/callback': everybody(404),
  'GET /oidc/login': everybody(404),
  'GET /oidc/callback': everybody(404),
  'GET /saml/metadata': everybody(404),
  'GET /saml/login': everybody(404),
  'POST /saml/callback': everybody(404),
  'GET /saml/finish': everybody(404),
  'GET /ldap/login': everybody(404),
  'POST /ldap/login': everybody(404),
  'POST /passkey/options': everybody(200),
  'POST /passkey/login': everybody(400),
  'GET /api/session': signedIn(200),
  'GET /api/config': everybody(200),
  'GET /console/app/api/config': everybody(200),
  // The token belongs to a session; an API key has none.
  'GET /console/api/auth/token': everybody(401),
  'POST /console/api/auth/logout': everybody(200),
  'GET /api/organization/status': signedIn(200),
  'GET /api/settings/organization': admins(200),
  'POST /api/settings/organization': admins(
    200,
    withBody(() => ({}), { hide_plotly_mode_bar: true }),
  ),
  'GET /api/users': listers(200),
  'POST /api/users': admins(200, () => ({ body: { name: 'New', email: `${randomUUID()}@example.com` } })),
  'GET /api/users/:id/access': admins(200, somebodyElse),
  'GET /api/users/:id': listers(200, somebodyElse),
  'POST /api/users/:id': admins(200, withBody(somebodyElse, { name: 'Renamed' })),
  'DELETE /api/users/:id': admins(200, anInvited),
  'POST /api/users/:id/disable': admins(200, somebodyElse),
  'DELETE /api/users/:id/disable': admins(200, somebodyElse),
  'POST /api/users/:id/invite': admins(200, anInvited),
  'POST /api/users/:id/reset_password': admins(200, somebodyElse),
  'POST /api/users/:id/regenerate_api_key': admins(200, somebodyElse),
  'GET /api/users/:id/sessions': admins(200, somebodyElse),
  'DELETE /api/users/:id/sessions': admins(200, somebodyElse),
  'DELETE /api/users/:id/sessions/:sessionId': admins(404, async () => ({
    params: { ...(await somebodyElse()).params, sessionId: 999_999 },
  })),
  'GET /api/users/:id/totp': admins(200, somebodyElse),
  // Only the users themselves hold the device; and a key is no proof of a present user.
  'POST /api/users/:id/totp': admins(403, somebodyElse),
  'DELETE /api/users/:id/totp': admins(403, somebodyElse),
  'GET /api/users/:id/passkeys': admins(200, somebodyElse),
  'POST /api/users/:id/passkeys/options': admins(403, somebodyElse),
  'POST /api/users/:id/passkeys': admins(403, withBody(somebodyElse, { name: 'Key', response: {} })),
  'DELETE /api/users/:id/passkeys/:passkeyId': admins(403, async () => ({
    params: { ...(await somebodyElse()).params, passkeyId: 999_999 },
  })),
  'POST /verification_email/': signedIn(200),
  'GET /avatars/:file': signedIn(200, () => ({ params: { file: `${app.admin.id}.svg` } })),
  'GET /api/groups': signedIn(200),
  'POST /api/groups': admins(
    200,
    withBody(() => ({}), { name: 'A group' }),
  ),
  'GET /api/groups/:id': admins(200, aGroup),
  'POST /api/groups/:id': admins(200, withBody(aGroup, { name: 'Renamed', permissions: ['view_query'] })),
  'DELETE /api/groups/:id': admins(200, aGroup),
  'GET /api/groups/:id/members': admins(200, aMember),
  'POST /api/groups/:id/members': admins(200, async () => ({ ...(await aGroup()), body: { user_id: (await app.make.user()).id } })),
  'DELETE /api/groups/:id/members/:userId': admins(200, aMember),
  'GET /api/groups/:id/channels': admins(200, aGroup),
  'POST /api/groups/:id/channels': admins(200, async () => ({ ...(await aGroup()), body: { channel_id: (await aChannel()).params.id } })),
  'DELETE /api/groups/:id/channels/:channelId': admins(200, async () => ({ params: { ...(await aGroup()).params, channelId: 'none' } })),
};
