import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';

/** design 8.1: the second factor of a password account. */
const TotpState = z.object({ is_enabled: z.boolean(), enabled_at: Time.nullable(), recovery_codes_left: z.int() });
export type TotpState = z.infer<typeof TotpState>;

const proof = { old_password: z.string().max(1024).optional() };
const code = z.string().trim().max(100);

/** A request without a code begins an enrolment; the first code of the app confirms it. */
const TotpChanges = z.object({ code: code.optional(), ...proof });
const TotpReply = z.object({
  /** The secret for manual entry. */
  secret: z.string().optional(),
  uri: z.string().optional(),
  /** A picture of the address, as SVG text. */
  qr: z.string().optional(),
  /** Shown once, when the enrolment is confirmed. */
  recovery_codes: z.array(z.string()).optional(),
});
export type TotpReply = z.infer<typeof TotpReply>;

export const Passkey = z.object({ id: z.int(), name: z.string(), created_at: Time, last_used_at: Time.nullable() });
export type Passkey = z.infer<typeof Passkey>;

/** The library checks credentials of browsers, not this schema. */
const credential = z.record(z.string(), z.unknown());

export const factorsApi = {
  totp: endpoint('GET', '/api/users/:id/totp', {
    needs: 'signed_in',
    params: ById,
    reply: TotpState,
    summary: 'Whether a code is asked for after the password.',
  }),
  saveTotp: endpoint('POST', '/api/users/:id/totp', {
    needs: 'signed_in',
    params: ById,
    body: TotpChanges.nullish().transform((given) => given ?? {}),
    reply: TotpReply,
    summary: 'Begins the enrolment of an authenticator app; with its code it is confirmed.',
  }),
  removeTotp: endpoint('DELETE', '/api/users/:id/totp', {
    needs: 'signed_in',
    params: ById,
    body: TotpChanges.nullish().transform((given) => given ?? {}),
    reply: Empty,
    summary: 'Asks for no code any more; administrators do it for people who lost theirs.',
  }),
  passkeys: endpoint('GET', '/api/users/:id/passkeys', {
    needs: 'signed_in',
    params: ById,
    reply: z.array(Passkey),
    summary: 'Passkeys of an account.',
  }),
  passkeyOptions: endpoint('POST', '/api/users/:id/passkeys/options', {
    needs: 'signed_in',
    params: ById,
    body: z
      .object(proof)
      .nullish()
      .transform((given) => given ?? {}),
    reply: z.object({ options: z.record(z.string(), z.unknown()) }),
    summary: 'What the browser needs to make a passkey.',
  }),
  addPasskey: endpoint('POST', '/api/users/:id/passkeys', {
    needs: 'signed_in',
    params: ById,
    body: z.object({ name: z.string().trim().min(1, 'Name is required.').max(100), response: credential }),
    reply: Passkey,
    summary: 'Keeps a new passkey.',
  }),
  removePasskey: endpoint('DELETE', '/api/users/:id/passkeys/:passkeyId', {
    needs: 'signed_in',
    params: ById.extend({ passkeyId: Id }),
    reply: Empty,
    summary: 'Takes a passkey away.',
  }),
};
