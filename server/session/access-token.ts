import { equalInConstantTime, type Secrets } from '../platform/secrets.ts';

/** iot-behaviour 0.1: a short-lived bearer token that ends with its session. */
const lifeMs = 15 * 60_000;

const macOf = (secrets: Secrets, body: string) => secrets.hash('access token', body).toString('base64url');

export function issueAccessToken(secrets: Secrets, sessionId: number, now: Date) {
  const expiry = new Date(now.getTime() + lifeMs);
  const body = `${sessionId}.${expiry.getTime()}`;
  return { access_token: `tt.${body}.${macOf(secrets, body)}`, expiry: expiry.toISOString() };
}

/** The session of a token, if the token is ours and still valid. */
export function readAccessToken(secrets: Secrets, token: string, now: Date): number | undefined {
  const [, body = '', mac = ''] = /^tt\.(\d+\.\d+)\.([\w-]+)$/.exec(token) ?? [];
  if (!body || !equalInConstantTime(mac, macOf(secrets, body))) return undefined;
  const [sessionId, expiry] = body.split('.').map(Number);
  return expiry !== undefined && expiry > now.getTime() ? sessionId : undefined;
}
