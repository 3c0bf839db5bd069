import { openSetting } from '../../organizations/settings.ts';
import { openIdMethod } from './openid.ts';

/** Any OpenID Connect provider (design 8.1). */
export const oidc = openIdMethod({
  kind: 'oidc',
  path: '/oidc/login',
  button: ({ auth_oidc_name }) => auth_oidc_name || 'Login with OpenID Connect',
  settingsOf: (ctx, settings) => ({
    issuer: settings.auth_oidc_issuer,
    clientId: settings.auth_oidc_client_id,
    clientSecret: openSetting(ctx, settings.auth_oidc_client_secret),
    domains: settings.auth_oidc_domains,
    isOpenWithoutDomains: true,
    groupsClaim: settings.auth_oidc_groups_claim,
    isSignedOutThere: settings.auth_oidc_logout,
  }),
});
