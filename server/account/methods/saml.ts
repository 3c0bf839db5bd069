import type { Profile, SAML } from '@node-saml/node-saml';
import { otherLogins } from '@telltale/domain/organization/logins.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import { getSettings } from '../../organizations/organizations.ts';
import { AppError, forbidden, invalid, notFound, unavailable } from '../../platform/errors.ts';
import { html } from '../../platform/html.ts';
import type { HttpCtx } from '../../platform/http/http.ts';
import { beginFlow, isFlowOpen, renewFlow, takeFlow } from '../../session/flows.ts';
import { type ExternalPerson, enterAs } from '../external-account.ts';
import { anyone, goTo, nextOf, queryText, showPage, signInFailed } from '../replies.ts';
import { type SignInMethod, siteOf } from './method.ts';
import { requireBearer, samlPerson } from './saml-assertion.ts';
import { forgetMetadata, identityProvider } from './saml-metadata.ts';

interface Flow {
  next: string;
}

/** The flow once its answer has been verified. */
interface FinishFlow extends Flow {
  person: ExternalPerson;
}

const expired = () => invalid('This sign-in has expired or was begun in another browser. Please try again.');
const callbackOf = (ctx: HttpCtx) => `${siteOf(ctx)}/saml/callback`;

async function required(ctx: HttpCtx): Promise<OrganizationSettings> {
  const settings = await getSettings(ctx);
  if (!otherLogins(settings).saml) throw notFound('Page');
  return settings;
}

/** Accepts only responses to a request of ours that is still open; the assertion or the whole response must be signed. */
async function serviceProvider(ctx: HttpCtx, settings: OrganizationSettings): Promise<{ saml: SAML; entityId: string | undefined }> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const provider = await identityProvider(ctx, settings);
  const entityId = settings.auth_saml_entity_id || `${siteOf(ctx)}/saml/metadata`;
  const saml = new SAML({
    callbackUrl: callbackOf(ctx),
    entryPoint: provider.entryPoint,
    issuer: entityId,
    audience: entityId,
    idpCert: provider.certificates,
    identifierFormat: settings.auth_saml_nameid_format || null,
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: 30_000,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: 10 * 60_000,
    cacheProvider: {
      // The cache is a stub: beginFlow and takeFlow keep the requests and use each one once.
      saveAsync: async (value) => ({ value, createdAt: Date.now() }),
      getAsync: async (id) => ((await isFlowOpen(ctx, 'saml', id)) ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
  return { saml, entityId: provider.entityId };
}

/** SAML 2.0 started by this site: unsolicited responses are refused. */
export const saml: SignInMethod = {
  kind: 'saml',
  path: '/saml/login',
  button: () => 'SAML Login',
  routes(http) {
    http.page(anyone('GET', '/saml/metadata', 'What an identity provider has to know about this site.'), async (ctx, _request, reply) => {
      const settings = await required(ctx);
      const { generateServiceProviderMetadata } = await import('@node-saml/node-saml');
      const xml = generateServiceProviderMetadata({
        issuer: settings.auth_saml_entity_id || `${siteOf(ctx)}/saml/metadata`,
        callbackUrl: callbackOf(ctx),
        identifierFormat: settings.auth_saml_nameid_format || null,
        wantAssertionsSigned: true,
      });
      return reply.type('application/samlmetadata+xml; charset=utf-8').send(xml);
    });

    http.page(anyone('GET', '/saml/login', 'Sends the browser to the identity provider.'), async (ctx, request, reply) => {
      const settings = await required(ctx);
      try {
        const provider = await serviceProvider(ctx, settings);
        const address = await provider.saml.getAuthorizeUrlAsync('', undefined, {});
        await beginFlow(ctx, 'saml', await requestIdOf(address), { next: nextOf(request) } satisfies Flow);
        return reply.redirect(address);
      } catch (error) {
        if (error instanceof AppError) return signInFailed(ctx, 'saml', reply, error);
        ctx.log.warn({ err: error, method: 'saml' }, 'the sign-in provider could not be asked');
        return signInFailed(ctx, 'saml', reply, unavailable('The sign-in provider cannot be reached. Please try again later.', error));
      }
    });

    const callback = { ...anyone('POST', '/saml/callback', 'Takes the signed answer of the identity provider.'), fromOtherSites: true };
    http.page(callback, async (ctx, request, reply) => {
      const settings = await required(ctx);
      try {
        const { SAMLResponse } = (request.body ?? {}) as { SAMLResponse?: unknown };
        const { profile, requestId } = await verified(ctx, settings, SAMLResponse);
        const person = samlPerson(profile, settings.auth_saml_groups_attribute);
        const flow = await takeFlow<Flow>(ctx, 'saml', requestId);
        if (flow) {
          await enterAs(ctx, 'saml', person);
          return goTo(reply, flow.next);
        }
        // The cross-site POST carries no cookie, so the browser continues with a ticket from a page of ours.
        const ticket = await renewFlow(ctx, 'saml', requestId, 'saml-finish', { person } satisfies Omit<FinishFlow, keyof Flow>);
        if (!ticket) throw expired();
        const finish = `/saml/finish?ticket=${ticket}`;
        const head = html`<meta http-equiv="refresh" content="0; url=${finish}">`;
        return showPage(reply, 200, 'Signing in', html`<p><a href="${finish}">Continue</a></p>`, head);
      } catch (error) {
        return signInFailed(ctx, 'saml', reply, asRefusal(ctx, error));
      }
    });

    http.page(anyone('GET', '/saml/finish', 'Ends a sign-in in the browser that began it.'), async (ctx, request, reply) => {
      await required(ctx);
      try {
        const flow = await takeFlow<FinishFlow>(ctx, 'saml-finish', queryText(request, 'ticket') ?? '');
        if (!flow) throw expired();
        await enterAs(ctx, 'saml', flow.person);
        return goTo(reply, flow.next);
      } catch (error) {
        return signInFailed(ctx, 'saml', reply, asRefusal(ctx, error));
      }
    });
  },
};

async function verified(ctx: HttpCtx, settings: OrganizationSettings, given: unknown): Promise<{ profile: Profile; requestId: string }> {
  if (typeof given !== 'string') throw invalid('The identity provider’s answer is missing.');
  const check = async () => {
    const provider = await serviceProvider(ctx, settings);
    const { profile } = await provider.saml.validatePostResponseAsync({ SAMLResponse: given });
    if (!profile) throw forbidden('The sign-in provider sent no identity.');
    // The library checks the issuer only at sign-out.
    if (provider.entityId && profile.issuer !== provider.entityId) throw forbidden('The sign-in provider’s answer is of somebody else.');
    return { profile, requestId: requireBearer(profile, callbackOf(ctx)) };
  };
  try {
    return await check();
  } catch (error) {
    // The provider may have changed its key since its metadata was read.
    if (!(error instanceof Error) || !/signature/i.test(error.message) || !forgetMetadata(settings)) throw error;
    return check();
  }
}

/** Logs the details of a provider error; users get a generic message. */
function asRefusal(ctx: HttpCtx, error: unknown): AppError {
  if (error instanceof AppError) return error;
  ctx.log.warn({ err: error, method: 'saml' }, 'a sign-in by a provider was refused');
  return forbidden('The sign-in provider’s answer could not be verified. Please try again.');
}

/** Reads the request id from the packed request: the library creates it while it builds the address. */
async function requestIdOf(address: string): Promise<string> {
  const { inflateRawSync } = await import('node:zlib');
  const packed = new URL(address).searchParams.get('SAMLRequest') ?? '';
  const [, id] = /\bID="([^"]+)"/.exec(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) ?? [];
  if (!id) throw new Error('The request has no id.');
  return id;
}
