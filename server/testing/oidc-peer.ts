import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { afterAll } from 'vitest';

interface OidcPerson {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: string[];
}

export interface OidcPeer {
  issuer: string;
  client: { id: string; secret: string };
  /** The user who is signed in at the provider: every sign-in succeeds as this user. */
  person: OidcPerson;
  settings: Record<string, unknown>;
  stop(): Promise<void>;
}

/** A real OpenID Connect provider (npm oidc-provider) that needs no password. */
export async function oidcPeer(redirectUris: string[]): Promise<OidcPeer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: 'telltale', secret: 'a secret of the client: +/&=' };
  const peer: OidcPeer = {
    issuer,
    client,
    person: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
    settings: { auth_oidc_enabled: true, auth_oidc_issuer: issuer, auth_oidc_client_id: client.id, auth_oidc_client_secret: client.secret },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris.map((address) => `${new URL(address).origin}/login`),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    // The claims stand in the token, as with most providers.
    conformIdTokenClaims: false,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] as never },
    cookies: { keys: ['a key for the cookies of a test'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...peer.person, sub }) }),
    // Consent is always given.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client?.clientId, accountId: ctx.oidc.session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: peer.person.sub, remember: false } });
  };
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return peer;
}

/** Walks through the provider as a browser would, and returns the address it redirects back to. */
export async function walkThrough(address: string, backAt: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = address;
  for (let steps = 0; steps < 10; steps++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`The provider answered ${response.status} at ${url}: ${(await response.text()).slice(0, 500)}`);
    url = new URL(location, url).href;
    if (url.startsWith(backAt)) return url;
  }
  throw new Error('The provider redirects without end.');
}
