import { z } from 'zod';
import { endpoint, Id, Time } from '../endpoint.ts';
import { ListParams, page } from '../lists/contract.ts';

/** design 8.1: who did what to which object, from which address. */
export const AuditEntry = z.object({
  id: z.number(),
  at: Time,
  /** The user's name and address at that time; null for an anonymous caller, as after a failed sign-in. */
  user: z.object({ id: z.int(), name: z.string(), email: z.string() }).nullable(),
  /** The kind of key, where the call came without a browser session. */
  key: z.string().optional(),
  address: z.string(),
  action: z.string(),
  object_type: z.string(),
  object_id: z.string().nullable(),
  object_name: z.string().nullable(),
  /** The names of the fields that were sent, never their values. */
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const short = z.string().max(100).optional();
const moment = z.iso.datetime({ offset: true }).or(z.iso.date()).optional();

export const AuditParams = ListParams.extend({
  user_id: Id.optional(),
  action: short,
  object_type: short,
  object_id: z.string().max(255).optional(),
  /** Entries at or after this moment. */
  from: moment,
  /** Entries before this moment. */
  to: moment,
  format: z.enum(['json', 'csv']).optional(),
});
export type AuditParams = z.output<typeof AuditParams>;

export const auditApi = {
  list: endpoint('GET', '/api/audit', {
    needs: 'admin',
    query: AuditParams,
    reply: page(AuditEntry),
    summary: 'Who changed what, newest first; `format=csv` answers all that match as a file.',
  }),
  choices: endpoint('GET', '/api/audit/choices', {
    needs: 'admin',
    reply: z.object({ actions: z.array(z.string()), object_types: z.array(z.string()) }),
    summary: 'The actions and types of objects that occur in the log.',
  }),
};
