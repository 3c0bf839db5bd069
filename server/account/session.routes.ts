import { sessionApi } from '@telltale/domain/session/contract.ts';
import { clientConfig } from '../organizations/client-config.ts';
import { notSignedIn } from '../platform/errors.ts';
import type { Http } from '../platform/http/http.ts';
import { issueAccessToken } from '../session/access-token.ts';
import { getUserRow, userAnswer } from '../users/users.ts';
import { signOut } from './sign-out.ts';

export function sessionRoutes(http: Http): void {
  http.on(sessionApi.get, async (ctx) => {
    const config = await clientConfig(ctx);
    const { identity } = ctx;
    if (identity.kind !== 'user') return { user: { permissions: [], apiKey: identity.key ?? '' }, messages: [], ...config };
    const row = await getUserRow(ctx, identity.id);
    const { id, name, email, profile_image_url, groups } = userAnswer(ctx, row);
    return {
      user: { id, name, email, profile_image_url, groups, permissions: identity.permissions },
      messages: row.is_email_verified ? [] : ['email-not-verified' as const],
      ...config,
    };
  });
  http.on(sessionApi.config, (ctx) => clientConfig(ctx));
  http.on(sessionApi.publicConfig, (ctx) => clientConfig(ctx));
  http.on(sessionApi.token, (ctx) => {
    // Only a cookie session may issue an access token: a key is a token already, and a self-renewing token would never end.
    if (ctx.user.via !== 'session' || ctx.user.session_id === null) throw notSignedIn(401);
    return issueAccessToken(ctx.secrets, ctx.user.session_id, ctx.now);
  });
  http.on(sessionApi.logout, async (ctx) => {
    const address = await signOut(ctx);
    return address ? { op_logout_uri: address } : {};
  });
}
