import { z } from 'zod';
import { endpoint, Time } from '../endpoint.ts';
import { ClientConfig } from '../organization/client-config.ts';

/** Q3: the signed-in user, and the configuration of the console for them. */
export const SessionUser = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  profile_image_url: z.string(),
  groups: z.array(z.int()),
  permissions: z.array(z.string()),
});
export type SessionUser = z.infer<typeof SessionUser>;

/** A key reader has no account: only the empty list of permissions (server-behaviour 6). */
const KeySessionUser = z.object({ permissions: z.array(z.string()), apiKey: z.string() });

const sessionMessages = ['email-not-verified'] as const;

export const Session = z.object({
  user: z.union([SessionUser, KeySessionUser]),
  messages: z.array(z.enum(sessionMessages)),
  org_slug: z.string(),
  client_config: ClientConfig,
});
export type Session = z.infer<typeof Session>;

export const Configuration = z.object({ org_slug: z.string(), client_config: ClientConfig });

export const sessionApi = {
  get: endpoint('GET', '/api/session', {
    needs: 'signed_in',
    readers: ['query_key', 'dashboard_token'],
    reply: Session,
    summary: 'Who is signed in, what they may do, how the console is configured.',
  }),
  config: endpoint('GET', '/console/app/api/config', {
    needs: 'anyone',
    reply: Configuration,
    summary: 'Configuration for pages without an account.',
  }),
  publicConfig: endpoint('GET', '/api/config', { needs: 'anyone', reply: Configuration, summary: 'The same under its older address.' }),
  token: endpoint('GET', '/console/api/auth/token', {
    needs: 'signed_in',
    reply: z.object({ access_token: z.string(), expiry: Time }),
    signedOutStatus: 401,
    summary: 'A short-lived bearer token of this session.',
  }),
  logout: endpoint('POST', '/console/api/auth/logout', {
    needs: 'anyone',
    reply: z.object({ op_logout_uri: z.string().optional() }),
    summary: 'Ends this session.',
  }),
};
