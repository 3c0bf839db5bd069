import type { AccessType, GrantedType } from '@telltale/domain/access/grants.ts';
import type { Person } from '@telltale/domain/access/identity.ts';
import { hasPermission, type Permission } from '@telltale/domain/access/permissions.ts';
import { type SourceAccess, sourceAccess } from '@telltale/domain/access/source-access.ts';
import { sql } from 'kysely';
import { builtInType, type Granted, type InChannel, type OnSource, type Owned, type SourceFacts } from './facts.ts';
import { allOf, asCondition, type Clause, type Condition, only, type Where } from './rule.ts';

/** The clauses that rules are made of. */

export const anybody: Clause<unknown> = { allows: () => true, where: () => true, words: 'everybody who is signed in' };

export const holds = (permission: Permission): Clause<unknown> => ({
  allows: (who) => hasPermission(who.permissions, permission),
  where: (who) => hasPermission(who.permissions, permission),
  words: permission === 'admin' ? 'administrator' : `the permission ${permission}`,
});

export const administrator = holds('admin');

type Table = 'queries' | 'dashboards' | 'alerts' | 'query_snippets';

export const ownerOf = (table: Table): Clause<Owned> => ({
  allows: (who, { user_id }) => who.id === user_id,
  where: (who) => sql<boolean>`${sql.ref(`${table}.user_id`)} = ${who.id}`,
  words: 'owner',
});

/** Users who were given access: of this kind, or of any. */
export const granteeOf = (table: GrantedType, type?: AccessType): Clause<Granted> => ({
  allows: (who, { grants }) =>
    grants.some(({ grantee, access_type }) => grantee === who.id && (type === undefined || type === access_type)),
  where: (who) => sql<boolean>`exists (
    select from access_permissions
    where object_type = ${table} and object_id = ${sql.ref(`${table}.id`)} and grantee_id = ${who.id}
      and (${type ?? null}::text is null or access_type = ${type ?? null}))`,
  words: type === 'modify' ? 'was given the right to edit' : 'was given access',
});

/** server-behaviour 4.2 and 27.5, and design 8: IoT data needs `view_channel` as well as access to the source. */
function accessTo({ type, groups }: SourceFacts, who: Person): SourceAccess {
  if (type === builtInType && !hasPermission(who.permissions, 'view_channel')) return 'none';
  return sourceAccess(groups, who);
}

const hasLevel = (source: SourceFacts, who: Person, level: 'view' | 'full'): boolean => {
  const access = accessTo(source, who);
  return access === 'full' || access === level;
};

function sourcesWhere(who: Person, level: 'view' | 'full'): Where {
  const isSeeingChannels = hasPermission(who.permissions, 'view_channel');
  if (hasPermission(who.permissions, 'admin')) return isSeeingChannels;
  const shared = sql<boolean>`exists (
    select from data_source_groups
    where data_source_id = data_sources.id and group_id = any(${who.group_ids}::int[]) and (${level} = 'view' or not view_only))`;
  return isSeeingChannels ? shared : sql<boolean>`(data_sources.type <> ${builtInType} and ${shared})`;
}

/** Access to a source itself. */
export const sourceAt = (level: 'view' | 'full'): Clause<SourceFacts> => ({
  allows: (who, source) => hasLevel(source, who, level),
  where: (who) => sourcesWhere(who, level),
  words: level === 'full' ? 'a group with full access to the data source' : 'a group with the data source',
});

/** Q5: full access and the permission to run own texts. */
export const runsAnything: Clause<SourceFacts> = allOf(sourceAt('full'), holds('execute_query'));

/** The source that a query runs on. */
export const onSource = (clause: Clause<SourceFacts>): Clause<OnSource> => ({
  words: clause.words ?? 'a group with full access to the data source and the permission execute_query',
  allows: (who, { source }) => source !== null && clause.allows(who, source),
  where(who): Condition {
    const seen = clause.where(who);
    if (seen === true) return sql<boolean>`queries.data_source_id is not null`;
    return sql<boolean>`queries.data_source_id in (select data_sources.id from data_sources where ${asCondition(seen)})`;
  },
});

export const withoutSource: Clause<OnSource> = {
  allows: (_, { source }) => source === null,
  where: () => sql<boolean>`queries.data_source_id is null`,
  words: 'its data source is gone',
};

/** design 8.1: one of the channels of the user's groups. `column` is the column with the channel's key in a list. */
export const inChannel = (column: string): Clause<InChannel> => ({
  allows: (who, { channel_pk }) => who.channel_pks === null || who.channel_pks.includes(channel_pk),
  where: (who) => who.channel_pks === null || sql<boolean>`${sql.ref(column)} = any(${who.channel_pks}::int[])`,
  words: 'a group that sees the channel',
});

/** The user sees all channels, also future ones. */
export const inAllChannels: Clause<unknown> = {
  allows: (who) => who.channel_pks === null,
  where: (who) => who.channel_pks === null,
  words: 'a group that sees all channels',
};

/** The user sees every channel that the rows were read from. */
export const coversChannels = only<{ channel_pks: readonly number[] | null }>((who, { channel_pks }) => {
  if (who.channel_pks === null) return true;
  return channel_pks?.every((pk) => who.channel_pks?.includes(pk)) ?? false;
}, 'groups with every channel that it was read from');
