import { otherLogins } from '@telltale/domain/organization/logins.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import * as client from 'openid-client';
import { getSettings } from '../../organizations/organizations.ts';
import { AppError, forbidden, invalid, notFound, unavailable } from '../../platform/errors.ts';
import type { HttpCtx } from '../../platform/http/http.ts';
import { beginFlow, takeFlow } from '../../session/flows.ts';
import { enterAs, isAllowedDomain } from '../external-account.ts';
import { guardedFetch } from '../guarded-fetch.ts';
import { anyone, goTo, nextOf, queryText, signInFailed } from '../replies.ts';
import { type SignInMethod, siteOf } from './method.ts';

interface OpenIdSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: readonly string[];
  /** True when an empty domain list lets people without an account sign in. */
  isOpenWithoutDomains: boolean;
  groupsClaim: string;
  /** Whether signing out here signs out at the provider, too, where it has an address for that. */
  isSignedOutThere: boolean;
}

interface Flow {
  verifier: string;
  nonce: string;
  next: string;
}

interface OpenIdMethod extends Pick<SignInMethod, 'path' | 'button'> {
  kind: 'google' | 'oidc';
  settingsOf(ctx: HttpCtx, settings: OrganizationSettings): OpenIdSettings;
}

const configurations = new Map<string, { until: number; configuration: Promise<client.Configuration> }>();
const keptMs = 10 * 60_000;

/** Caches the provider's discovery document for ten minutes; a failed read is not kept. */
function configurationOf(ctx: HttpCtx, { issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> {
  const key = JSON.stringify([issuer, clientId, clientSecret]);
  const known = configurations.get(key);
  if (known && known.until > Date.now()) return known.configuration;
  const configuration = client.discovery(new URL(issuer), clientId, undefined, clientProof(clientSecret), {
    [client.customFetch]: (url, options) => guardedFetch(ctx, url, options as never),
    // guardedFetch refuses plain http to anything but a private network.
    execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
  });
  if (configurations.size > 100) configurations.clear();
  configurations.set(key, { until: Date.now() + keptMs, configuration });
  configuration.catch(() => configurations.delete(key));
  return configuration;
}

/** OpenID Connect Discovery: uses `client_secret_basic`, unless the provider lists its methods without it. */
function clientProof(secret: string): client.ClientAuth {
  if (!secret) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    return (isBasic ? basic : post)(server, ...rest);
  };
}

/** OpenID Connect with discovery, PKCE, state and nonce; Google uses it with a fixed issuer. */
export function openIdMethod({ kind, path, button, settingsOf }: OpenIdMethod): SignInMethod {
  const callback = kind === 'google' ? '/oauth/google/callback' : '/oidc/callback';

  const required = async (ctx: HttpCtx): Promise<OpenIdSettings> => {
    const settings = await getSettings(ctx);
    if (!otherLogins(settings)[kind]) throw notFound('Page');
    return settingsOf(ctx, settings);
  };

  return {
    kind,
    path,
    button,
    /** OpenID Connect RP-Initiated Logout 1.0: the provider sends the browser back to our sign-in page. */
    async signOutAddress(ctx, idToken) {
      const settings = await getSettings(ctx);
      if (!otherLogins(settings)[kind]) return undefined;
      const provider = settingsOf(ctx, settings);
      if (!provider.isSignedOutThere) return undefined;
      const configuration = await configurationOf(ctx, provider);
      if (!/^https?:/i.test(configuration.serverMetadata().end_session_endpoint ?? '')) return undefined;
      return client.buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: `${siteOf(ctx)}/login` }).href;
    },
    routes(http) {
      http.page(anyone('GET', path, 'Sends the browser to the OpenID Connect provider.'), async (ctx, request, reply) => {
        const settings = await required(ctx);
        try {
          const configuration = await configurationOf(ctx, settings);
          const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
          const address = client.buildAuthorizationUrl(configuration, {
            redirect_uri: siteOf(ctx) + callback,
            scope: 'openid email profile',
            code_challenge: await client.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
            state,
            nonce,
          });
          await beginFlow(ctx, kind, state, { verifier, nonce, next: nextOf(request) } satisfies Flow);
          return reply.redirect(address.href);
        } catch (error) {
          if (error instanceof AppError) return signInFailed(ctx, kind, reply, error);
          ctx.log.warn({ err: error, method: kind }, 'the sign-in provider could not be asked');
          return signInFailed(ctx, kind, reply, unavailable('The sign-in provider cannot be reached. Please try again later.', error));
        }
      });

      http.page(anyone('GET', callback, 'Where the OpenID Connect provider sends people back.'), async (ctx, request, reply) => {
        const settings = await required(ctx);
        try {
          const state = queryText(request, 'state') ?? '';
          const flow = await takeFlow<Flow>(ctx, kind, state);
          if (!flow) throw invalid('This sign-in has expired or was begun in another browser. Please try again.');
          const answered = new URL(siteOf(ctx) + request.url);
          const person = await identified(ctx, settings, answered, state, flow);
          await enterAs(ctx, kind, person, { provider: kind, id_token: person.idToken });
          return goTo(reply, flow.next);
        } catch (error) {
          return signInFailed(ctx, kind, reply, asRefusal(ctx, kind, error));
        }
      });
    },
  };
}

/** Logs the details of a provider error; users get a generic message. */
function asRefusal(ctx: HttpCtx, method: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  ctx.log.warn({ err: error, method }, 'a sign-in by a provider was refused');
  return forbidden('The sign-in provider’s answer could not be verified. Please try again.');
}

/** security 16: only the verified ID token, or the provider's user info, identifies the person. */
async function identified(ctx: HttpCtx, settings: OpenIdSettings, answered: URL, state: string, flow: Flow) {
  const configuration = await configurationOf(ctx, settings);
  const tokens = await client.authorizationCodeGrant(configuration, answered, {
    pkceCodeVerifier: flow.verifier,
    expectedState: state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  });
  const token = tokens.claims();
  if (!token || !tokens.id_token) throw forbidden('The sign-in provider sent no identity.');
  const isComplete = token.email !== undefined && (!settings.groupsClaim || token[settings.groupsClaim] !== undefined);
  const asked =
    isComplete || !configuration.serverMetadata().userinfo_endpoint
      ? {}
      : await client.fetchUserInfo(configuration, tokens.access_token, token.sub);
  const claims: Record<string, unknown> = { ...asked, ...token };
  const { email, email_verified, name } = claims;
  if (typeof email !== 'string' || (email_verified !== true && email_verified !== 'true'))
    throw forbidden('The sign-in provider did not confirm your email address.');
  const groups = settings.groupsClaim ? claims[settings.groupsClaim] : undefined;
  return {
    email,
    name: typeof name === 'string' ? name : '',
    groups: groups === undefined ? undefined : [groups].flat().filter((group) => typeof group === 'string'),
    isNewcomerAllowed: isAllowedDomain(email, settings.domains, settings.isOpenWithoutDomains),
    idToken: tokens.id_token,
  };
}
