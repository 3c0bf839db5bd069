import { openSetting } from '../../organizations/settings.ts';
import { openIdMethod } from './openid.ts';

/** A5: Google accounts in the listed domains may log in; without listed domains, only people who already have an account here. */
export const google = openIdMethod({
  kind: 'google',
  path: '/oauth/google',
  button: () => 'Login with Google',
  settingsOf: (ctx, settings) => ({
    issuer: ctx.config.googleIssuer,
    clientId: settings.auth_google_client_id,
    clientSecret: openSetting(ctx, settings.auth_google_client_secret),
    domains: settings.auth_google_apps_domains,
    isOpenWithoutDomains: false,
    groupsClaim: '',
    isSignedOutThere: false,
  }),
});
