import { createHash } from 'node:crypto';
import { otherLogins, type PublicKeyAlgorithm, publicKeyAlgorithms } from '@telltale/domain/organization/logins.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import type { FastifyRequest } from 'fastify';
import { errors, type JWTVerifyOptions, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { keysAt } from './jwt-keys.ts';

export interface NamedPerson {
  email: string;
  name: string;
}

const clockToleranceSeconds = 5;
/** A token is looked at again after this time, because keys may have been withdrawn. */
const believedMs = 60_000;
const disbelievedMs = 10_000;
const mostRemembered = 1000;

const Claims = z.object({
  email: z.string().min(3).max(320),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().catch('').default(''),
  exp: z.number(),
});

type Verdict = { until: number; person: NamedPerson } | { until: number; fault: AppError };
const verdicts = new Map<string, Verdict>();

/** The token that the configured header or cookie holds, where this way of signing in is switched on. */
export function tokenOf(request: FastifyRequest, settings: OrganizationSettings): string | undefined {
  if (!otherLogins(settings).jwt) return undefined;
  const { auth_jwt_auth_header_name: headerName, auth_jwt_auth_cookie_name: cookieName } = settings;
  const header = headerName ? request.headers[headerName.toLowerCase()] : undefined;
  const cookie = cookieName && Object.hasOwn(request.cookies, cookieName) ? request.cookies[cookieName] : undefined;
  const text = typeof header === 'string' ? header.replace(/^bearer\s+/i, '').trim() : cookie;
  return text || undefined;
}

/** A token that is not believed. */
export class InvalidToken extends AppError {
  readonly reason: string;
  /** Whether the audit log has it: a page that asks often with the same token counts once. */
  isNoted = false;
  constructor(reason: string, cause?: unknown) {
    super(401, 'sign_in_token', 'The sign-in token is not valid or has expired. Please sign in again.', { cause });
    this.reason = reason;
  }
}

/** Who a token names. Throws for one that is expired, forged, for somebody else or without an address. */
export async function personOf(ctx: Pick<Ctx, 'config' | 'log'>, settings: OrganizationSettings, token: string): Promise<NamedPerson> {
  const { auth_jwt_auth_issuer, auth_jwt_auth_audience, auth_jwt_auth_public_certs_url, auth_jwt_auth_algorithms } = settings;
  const rules = [auth_jwt_auth_issuer, auth_jwt_auth_audience, auth_jwt_auth_public_certs_url, auth_jwt_auth_algorithms, token];
  const key = createHash('sha256').update(JSON.stringify(rules)).digest('base64');
  const known = verdicts.get(key);
  const verdict = known && known.until > Date.now() ? known : await judge(ctx, settings, token);
  if (verdict !== known) {
    if (verdicts.size >= mostRemembered) verdicts.clear();
    verdicts.set(key, verdict);
  }
  if ('person' in verdict) return verdict.person;
  throw verdict.fault;
}

async function judge(ctx: Pick<Ctx, 'config' | 'log'>, settings: OrganizationSettings, token: string): Promise<Verdict> {
  try {
    const claims = Claims.safeParse(await payloadOf(ctx, settings, token));
    if (!claims.success) throw new InvalidToken('no usable email claim');
    const { email, name, exp, email_verified } = claims.data;
    if (email_verified !== undefined && String(email_verified) !== 'true') throw new InvalidToken('email not verified');
    return { until: Math.min(Date.now() + believedMs, (exp + clockToleranceSeconds) * 1000), person: { email, name } };
  } catch (error) {
    // Keys that could not be read say nothing about the token, so that is not remembered.
    if (error instanceof AppError && !(error instanceof InvalidToken)) return { until: 0, fault: error };
    const fault =
      error instanceof InvalidToken ? error : new InvalidToken(error instanceof errors.JOSEError ? error.code : 'unusable key', error);
    return { until: Date.now() + disbelievedMs, fault };
  }
}

async function payloadOf(ctx: Pick<Ctx, 'config' | 'log'>, settings: OrganizationSettings, token: string): Promise<unknown> {
  const rules: JWTVerifyOptions = {
    issuer: settings.auth_jwt_auth_issuer,
    audience: settings.auth_jwt_auth_audience,
    // A public key never verifies HS256: what everybody can read must not be a secret to sign with.
    algorithms: settings.auth_jwt_auth_algorithms.filter((each) => publicKeyAlgorithms.includes(each as PublicKeyAlgorithm)),
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp', 'email'],
  };
  try {
    return (await jwtVerify(token, keysAt(ctx, settings.auth_jwt_auth_public_certs_url), rules)).payload;
  } catch (error) {
    // A token that does not name its key is tried with each that fits.
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jwtVerify(token, key, rules).catch((fault: unknown) => {
        if (!(fault instanceof errors.JWSSignatureVerificationFailed)) throw fault;
      });
      if (verified) return verified.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
