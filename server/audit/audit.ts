import type { Identity } from '@telltale/domain/access/identity.ts';
import type { AuditEntry, AuditParams } from '@telltale/domain/audit/contract.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { type ChangeWatch, Streamed } from '../platform/http/http.ts';
import {
  completeEntry,
  deleteOldEntries,
  findObjectName,
  insertEntry,
  listChoices,
  listEntries,
  listEntriesBefore,
  markFailed,
} from './audit.store.ts';
import { csvOf } from './audit-csv.ts';
import { callWords, isChange, isDryRun } from './call-words.ts';

const who = (identity: Identity) => (identity.kind === 'user' ? { id: identity.id, name: identity.name, email: identity.email } : null);

function keyOf(identity: Identity): string | null {
  if (identity.kind === 'nobody' || (identity.kind === 'user' && identity.via === 'session')) return null;
  if (identity.kind === 'user') return identity.via === 'key' ? 'API key' : 'Access token';
  return `${identity.kind === 'query_key' ? 'Query key' : 'Dashboard token'} ${identity.object_id}`;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' || typeof value === 'number' ? String(value) : null);
const field = (value: unknown, ...names: string[]): string | null => {
  if (value === null || typeof value !== 'object') return null;
  const found = value as Record<string, unknown>;
  return names.map((name) => textOf(found[name])).find((text) => text !== null) ?? null;
};

/**
 * Every call that changes something is recorded with the names of the sent fields, never their values. The entry is written in the
 * call's first transaction, so neither exists without the other; a call without a transaction is recorded after it succeeded.
 */
export const watchChanges: ChangeWatch = async (ctx, { method, path }, { params, body }) => {
  if (!isChange(method, path) || isDryRun(path, body)) return undefined;
  const { kind, ...words } = callWords(method, path, params);
  const id = words.object_id?.split('/')[0];
  // The object may be deleted afterwards.
  const name = id === undefined ? null : await findObjectName(ctx.db, kind, id);
  const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? Object.keys(body).slice(0, 50) : [];
  const facts = (answer: unknown) => ({
    object_id: words.object_id ?? field(answer, 'id', 'channel_id', 'device_id'),
    object_name: name ?? field(answer, 'name', 'channel_name', 'device_name', 'trigger') ?? field(body, 'name', 'channel_name', 'trigger'),
  });
  const write = (db: Db, answer: unknown) =>
    insertEntry(db, {
      ...words,
      ...facts(answer),
      user: who(ctx.identity),
      key: keyOf(ctx.identity),
      address: ctx.request.address,
      details: fields.length > 0 ? { fields } : {},
    });
  // The change is committed: an error now would make the caller repeat it.
  const logged = (work: Promise<unknown>) =>
    work.catch((error: Error) => ctx.log.error({ err: error, path }, 'a change could not be written to the audit log'));

  let entry: { id: string; object_id: string | null } | undefined;
  return {
    beforeCommit: async (db, answer) => {
      if (!entry) entry = { id: await write(db, answer), object_id: facts(answer).object_id };
    },
    rolledBack: () => {
      entry = undefined;
    },
    done: async (answer) => {
      if (!entry) return void (await logged(write(ctx.db, answer)));
      // The transaction's own answer did not name the object.
      if (entry.object_id === null && facts(answer).object_id !== null) await logged(completeEntry(ctx.db, entry.id, facts(answer)));
    },
    failed: async () => {
      if (entry) await logged(markFailed(ctx.db, entry.id));
    },
  };
};

/** Sign-ins and sign-outs, which are no calls of the API; `userId` names an account that is not signed in. */
export async function noteSignIn(ctx: Ctx, action: string, details: Record<string, unknown> = {}, userId?: number): Promise<void> {
  const user = userId === undefined ? who(ctx.identity) : { id: userId, name: '', email: '' };
  await insertEntry(ctx.db, {
    user,
    key: null,
    address: ctx.request.address,
    action,
    object_type: 'session',
    object_id: user ? String(user.id) : null,
    object_name: null,
    details,
  });
}

/** A change of an account that a sign-in provider made, while its user was signing in. */
export async function noteAccountChange(
  ctx: Ctx,
  action: string,
  { id, name, email }: { id: number; name: string; email: string },
  details: Record<string, unknown>,
): Promise<void> {
  await insertEntry(ctx.db, {
    user: { id, name, email },
    key: null,
    address: ctx.request.address,
    action,
    object_type: 'user',
    object_id: String(id),
    object_name: name,
    details,
  });
}

export async function listAudit(ctx: UserCtx, params: AuditParams): Promise<Page<AuditEntry> | Streamed> {
  if (params.format !== 'csv') return listEntries(ctx.db, params);
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="audit-log.csv"' };
  return new Streamed(
    headers,
    csvOf((before, limit) => listEntriesBefore(ctx.db, params, before, limit)),
  );
}

export const auditChoices = (ctx: UserCtx) => listChoices(ctx.db);

export const forgetOldAudit = (ctx: Ctx, days: number) => deleteOldEntries(ctx.db, days);
