import { createPublicKey } from 'node:crypto';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { unavailable } from '../../platform/errors.ts';
import { guardedFetch } from '../guarded-fetch.ts';

const keptMs = 10 * 60_000;
/** A token may be signed with a key that was added since; nobody may make us ask more often than this. */
const againMs = 30_000;
const mostKeys = 100;

const JwkSet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(mostKeys) });
/** Some proxies publish PEM texts by key id instead. */
const PemTexts = z.record(z.string().max(200), z.string().max(10_000).startsWith('-----BEGIN '));

interface KeySet {
  at: number;
  find: JWTVerifyGetKey;
}
const known = new Map<string, KeySet>();
const asking = new Map<string, Promise<KeySet>>();
const failedAt = new Map<string, number>();

/** The public keys at an address, kept for ten minutes and read again when a token names a key that is not among them. */
export const keysAt =
  (ctx: Pick<Ctx, 'config' | 'log'>, address: string): JWTVerifyGetKey =>
  async (header, token) => {
    const kept = known.get(address);
    const set = kept && Date.now() - kept.at < keptMs ? kept : await read(ctx, address, kept);
    try {
      return await set.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || Date.now() - set.at < againMs) throw error;
      return (await read(ctx, address, set)).find(header, token);
    }
  };

/** Keys that were read before stay in use while their address cannot be read. */
async function read(ctx: Pick<Ctx, 'config' | 'log'>, address: string, before: KeySet | undefined): Promise<KeySet> {
  if (Date.now() - (failedAt.get(address) ?? 0) < againMs) return before ?? fail();
  const reading = asking.get(address) ?? fetchKeys(ctx, address).finally(() => asking.delete(address));
  asking.set(address, reading);
  try {
    const set = await reading;
    if (known.size >= mostKeys) known.clear();
    known.set(address, set);
    failedAt.delete(address);
    return set;
  } catch (error) {
    if (failedAt.size >= mostKeys) failedAt.clear();
    failedAt.set(address, Date.now());
    ctx.log.warn({ err: error, method: 'jwt' }, 'the public keys for sign-in tokens could not be read');
    return before ?? fail(error);
  }
}

function fail(cause?: unknown): never {
  throw unavailable('The public keys for sign-in tokens cannot be read. Please try again later.', cause);
}

async function fetchKeys(ctx: Pick<Ctx, 'config'>, address: string): Promise<KeySet> {
  const answer = await guardedFetch(ctx, address);
  if (!answer.ok) throw new Error(`The address answered ${answer.status}.`);
  const body: unknown = await answer.json();
  const set = JwkSet.safeParse(body);
  return { at: Date.now(), find: createLocalJWKSet(set.success ? publicOnly(set.data) : fromPem(PemTexts.parse(body))) };
}

/** Symmetric keys are no public keys: whoever reads the set could sign with them. */
const publicOnly = ({ keys }: z.output<typeof JwkSet>): JSONWebKeySet => ({
  keys: keys.filter(({ kty }) => kty === 'RSA' || kty === 'EC'),
});

const fromPem = (texts: Record<string, string>): JSONWebKeySet => ({
  keys: Object.entries(texts)
    .slice(0, mostKeys)
    .map(([kid, pem]) => ({ ...createPublicKey(pem).export({ format: 'jwk' }), kid }) as JSONWebKeySet['keys'][number]),
});
