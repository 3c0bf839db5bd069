import type { Person } from '@telltale/domain/access/identity.ts';
import { permissions } from '@telltale/domain/access/permissions.ts';
import type { AccessObject, ObjectAccess, UserAccess } from '@telltale/domain/admin/access-contract.ts';
import type { ListParams } from '@telltale/domain/lists/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import type { UserCtx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { explainMay, isHeld, type PolicyObject } from '../policy/policy.ts';
import { findPeople } from '../session/people.ts';
import { type AccessPerson, findAccessPerson, type ListedObject, listObjects } from './access-matrix.store.ts';

/** The actions shown for each kind of object; a channel's own permission and access to the channel are two lines of the policy. */
const told: Record<AccessObject, readonly (readonly [action: string, ...lines: (readonly [PolicyObject, string])[]])[]> = {
  data_source: [
    ['view', ['data_source', 'view']],
    ['run any text', ['data_source', 'run']],
    ['save queries', ['data_source', 'save_queries']],
    ['administer', ['data_source', 'administer']],
  ],
  query: [
    ['view', ['query', 'view']],
    ['run', ['query', 'run']],
    ['edit', ['query', 'edit']],
    ['archive', ['query', 'archive']],
    ['share', ['query', 'share']],
  ],
  dashboard: [
    ['view', ['dashboard', 'view']],
    ['edit', ['dashboard', 'edit']],
    ['archive', ['dashboard', 'archive']],
    ['share', ['dashboard', 'share']],
  ],
  channel: [
    ['view', ['channel', 'view'], ['channel', 'reach']],
    ['manage', ['channel', 'manage'], ['channel', 'reach']],
    ['read keys', ['channel', 'read_key'], ['channel', 'reach']],
  ],
  alert: [
    ['view', ['alert', 'view']],
    ['edit', ['alert', 'edit']],
    ['subscribe', ['alert', 'subscribe']],
  ],
  command: [
    ['view', ['command', 'view'], ['channel', 'reach']],
    ['send', ['command', 'send'], ['channel', 'reach']],
    ['edit', ['command', 'edit'], ['channel', 'reach']],
  ],
};

type Decision = ObjectAccess['actions'][number];

function decide(who: Person | undefined, lines: readonly (readonly [PolicyObject, string])[], facts: unknown): Omit<Decision, 'action'> {
  if (!who) return { allowed: false, reason: 'the account is disabled' };
  const each = lines.map(([object, action]) => explainMay(who, action as never, object, facts));
  const refused = each.filter(({ allowed }) => !allowed);
  const shown = refused.length > 0 ? refused : each;
  return { allowed: refused.length === 0, reason: [...new Set(shown.map(({ reason }) => reason))].join(' and ') };
}

function objectAccess(who: Person | undefined, type: AccessObject, { id, name, facts: { query, ...facts } }: ListedObject): ObjectAccess {
  const known =
    type === 'query' && query
      ? { ...facts, is_safe: isSafe(query.text, query.parameters) }
      : { ...facts, ...(type === 'alert' && { query: query ?? null }) };
  const actions = told[type].map(([action, ...lines]) => ({ action, ...decide(who, lines, known) }));
  return { object_type: type, object_id: id, name, actions };
}

function permissionReason({ groups }: AccessPerson, permission: string, allowed: boolean): string {
  const giving = groups.filter((group) => group.gives.includes(permission));
  if (giving.length > 0) return `by the group${giving.length > 1 ? 's' : ''} ${giving.map(({ name }) => name).join(', ')}`;
  return allowed ? 'administrators have it' : 'none of the groups has it';
}

/** design 8.1: evaluates the policy with the same facts that the API routes use. */
export async function accessOf(
  ctx: UserCtx,
  id: number,
  { object_type, ...params }: ListParams & { object_type: AccessObject },
): Promise<UserAccess> {
  const person = await findAccessPerson(ctx.db, id);
  if (!person) throw notFound('User');
  const [who] = await findPeople(ctx, [id]);
  const objects = await listObjects(ctx.db, object_type, params);
  const { groups, ...user } = person;
  return {
    user,
    groups: groups.map(({ id: groupId, name, all_channels }) => ({ id: groupId, name, all_channels })),
    permissions: permissions.map((permission) => {
      const allowed = who !== undefined && isHeld(who, permission);
      return { permission, allowed, reason: who ? permissionReason(person, permission, allowed) : 'the account is disabled' };
    }),
    objects: { ...objects, results: objects.results.map((object) => objectAccess(who, object_type, object)) },
  };
}
