import type { Person } from '@telltale/domain/access/identity.ts';
import type { Permission } from '@telltale/domain/access/permissions.ts';
import { sql } from 'kysely';
import {
  administrator,
  anybody,
  coversChannels,
  granteeOf,
  holds,
  inAllChannels,
  inChannel,
  onSource,
  ownerOf,
  runsAnything,
  sourceAt,
  withoutSource,
} from './clauses.ts';
import type { AlertFacts, DashboardFacts, Granted, InChannel, Owned, QueryFacts, ResultFacts, SourceFacts, WatchedFacts } from './facts.ts';
import type { Principal } from './principals.ts';
import { allOf, anyOf, asCondition, type Clause, type Condition, explain, isAllowed, only, type Rule, rule } from './rule.ts';

/**
 * The access rules: for each object and action the users who may, and which keys, tokens and schedules reach it. A key, a token or a
 * schedule acts in the name of users, each of whom must be allowed; everything else is refused. A route's `needs` is checked before these
 * rules. Modules load the facts and call `may`; lists put `whereMay` in their SQL.
 */

const seesQuery: Clause<QueryFacts> = anyOf<QueryFacts>(
  administrator,
  onSource(sourceAt('view')),
  allOf<QueryFacts>(withoutSource, ownerOf('queries')),
);
const ownsQuery = anyOf<Owned>(administrator, ownerOf('queries'));
const editsQuery = anyOf<Owned & Granted>(ownsQuery, granteeOf('queries', 'modify'));

const keyOfQuery = (key: { object_id: number }, { id }: { id: number }) => key.object_id === id;
const tokenShowingQuery = (token: { object_id: number }, { stands_on = [] }: QueryFacts) => stands_on.includes(token.object_id);

const ownsDashboard = anyOf<Owned>(administrator, ownerOf('dashboards'));
const isPublished: Clause<{ is_draft: boolean }> = {
  allows: (_, { is_draft }) => !is_draft,
  where: () => sql<boolean>`not dashboards.is_draft`,
  words: 'it is published',
};
/** At least one of its widgets shows a query on a source that the user sees. */
const showsSeenSource: Clause<{ shows: readonly SourceFacts[] }> = {
  allows: (who, { shows }) => shows.some((source) => sourceAt('view').allows(who, source)),
  where: (who) => sql<boolean>`exists (
    select from widgets join visualizations on visualizations.id = visualization_id join queries on queries.id = query_id
    where widgets.dashboard_id = dashboards.id and ${asCondition(onSource(sourceAt('view')).where(who))})`,
};

const seesJoinedSources = allOf<Pick<ResultFacts, 'joined' | 'channel_pks'>>(
  only((who, { joined }) => joined.every((source) => source !== undefined && sourceAt('view').allows(who, source))),
  coversChannels,
);
const ranResult = only<ResultFacts>((who, { user_ids }) => user_ids.includes(who.id));
const seesQueryOfResult = only<ResultFacts>((who, { queries }) => queries.some((query) => seesQuery.allows(who, query)));

const seesChannel = (column: string) => allOf<InChannel>(holds('view_channel'), inChannel(column));

const seesAlert: Clause<AlertFacts> = {
  words: 'sees the query or the channel that it watches',
  allows: (who, { query, channel_pk }) =>
    query === null ? seesChannel('').allows(who, { channel_pk: channel_pk ?? 0 }) : seesQuery.allows(who, query),
  where: (who) => sql<boolean>`(
    (alerts.query_id is null and ${asCondition(seesChannel('alerts.channel_pk').where(who))})
    or alerts.query_id in (select queries.id from queries where ${asCondition(seesQuery.where(who))}))`,
};

const readsWatched = allOf<WatchedFacts>(seesAlert, seesJoinedSources);
const looksAtAlert = allOf<AlertFacts>(anyOf<AlertFacts>(holds('list_alerts'), ownerOf('alerts')), seesAlert);

const self = only<{ id: number }>((who, { id }) => who.id === id);
const selfOrAdministrator = anyOf<{ id: number }>(administrator, self);

export const policy = {
  data_source: {
    list: rule({ people: sourceAt('view') }),
    view: rule({ people: sourceAt('view') }),
    /** Q5: any text, also free text in a saved query. */
    run: rule({ people: runsAnything }),
    /** W17: a schedule writes in the name of the users responsible for it. */
    write: rule({ people: runsAnything, schedule: () => true }),
    /** Saving, copying or scheduling a text on the source (security 21). */
    save_queries: rule({ people: sourceAt('full') }),
    view_list_entry: rule({ people: holds('list_data_sources') }),
    administer: rule({ people: administrator }),
  },
  query: {
    list: rule({ people: seesQuery }),
    /** Finding a query in the global search: the same rule as the list of queries, because the search has no route of its own for them. */
    find: rule({ people: allOf<QueryFacts>(holds('view_query'), seesQuery) }),
    /** server-behaviour 7.4: all published ones, and own drafts. */
    list_archived: rule({
      people: allOf<QueryFacts & { is_draft: boolean }>(
        seesQuery,
        anyOf<QueryFacts & { is_draft: boolean }>(ownsQuery, {
          allows: (_, { is_draft }) => !is_draft,
          where: () => sql<boolean>`not queries.is_draft`,
        }),
      ),
    }),
    /** Drafts are no secret (server-behaviour 7.11). */
    view: rule({ people: seesQuery, query_key: keyOfQuery, dashboard_token: tokenShowingQuery, schedule: keyOfQuery }),
    /** The text, its hash and its source, and messages of a database about them (security 23 and 27). */
    read_text: rule({ people: anybody }),
    /** server-behaviour 8.1: a query without free text needs view access to its source, any other one needs the right to run anything. */
    run: rule<QueryFacts & { is_safe: boolean }>({
      people: allOf<QueryFacts & { is_safe: boolean }>(
        onSource(sourceAt('view')),
        anyOf<QueryFacts & { is_safe: boolean }>(
          only((_, { is_safe }) => is_safe, 'it has no free text parameters'),
          onSource(runsAnything),
        ),
      ),
      query_key: (key, query) => query.is_safe && keyOfQuery(key, query),
      dashboard_token: (token, query) => query.is_safe && tokenShowingQuery(token, query),
    }),
    /** security 23: a token may request only values that a widget of its dashboard would request. */
    choose_values: rule<QueryFacts & { is_asked_by_widget: boolean }>({
      people: seesQuery,
      query_key: keyOfQuery,
      dashboard_token: (token, query) => query.is_asked_by_widget && tokenShowingQuery(token, query),
    }),
    /** Choosing the limit and the time zone of the run that is stored for everybody. */
    choose_form: rule({ people: anybody }),
    edit: rule({ people: editsQuery }),
    /** The rights of the owner, which an editor does not have: archiving, restoring, giving others access. */
    archive: rule({ people: ownsQuery }),
    share: rule({ people: ownsQuery }),
    schedule: rule({ people: holds('schedule_query') }),
  },
  /** The key of a query: design 8 says who gets one. Each user has one of their own, so that a revoked or lost right ends that key alone. */
  query_key: {
    view: rule<QueryFacts & { is_readable: boolean }>({
      people: allOf<QueryFacts & { is_readable: boolean }>(
        seesQuery,
        anyOf<QueryFacts & { is_readable: boolean }>(
          ownerOf('queries'),
          only((_, { is_readable }) => is_readable),
        ),
      ),
    }),
    list: rule({ people: ownsQuery }),
    revoke: rule({ people: ownsQuery }),
    /** Q6: new keys for everybody in place of the present ones. */
    regenerate: rule({ people: editsQuery }),
  },
  visualization: {
    view: rule({ people: seesQuery, query_key: keyOfQuery, dashboard_token: tokenShowingQuery }),
    edit: rule({ people: editsQuery }),
  },
  result: {
    /**
     * Reading a result by its id: for users who see its source and the sources it was joined from, and who also have full access to it, ran
     * the result, or see a saved query that it is a result of. Nobody else reads ad hoc results.
     */
    view: rule<ResultFacts>({
      people: allOf<ResultFacts>(
        only((who, { source }) => source !== null && sourceAt('view').allows(who, source)),
        seesJoinedSources,
        anyOf<ResultFacts>(
          only((who, { source }) => source !== null && sourceAt('full').allows(who, source)),
          ranResult,
          seesQueryOfResult,
        ),
      ),
      query_key: (key, { answers_holder = false, queries }) => answers_holder && queries.some((query) => keyOfQuery(key, query)),
      dashboard_token: (token, { answers_holder = false, queries }) =>
        answers_holder && queries.some((query) => tokenShowingQuery(token, query)),
    }),
    /** W10: a joined result needs view access to each source its rows came from. */
    view_joined: rule({ people: seesJoinedSources }),
  },
  job: {
    /** W8: a job is visible to the users who started or joined it. */
    view: rule<Owned & { is_member: boolean }>({
      people: only((who, { user_id, is_member }) => is_member || user_id === who.id || administrator.allows(who, undefined)),
      query_key: (_, { is_member }) => is_member,
      dashboard_token: (_, { is_member }) => is_member,
    }),
    cancel_for_all: rule({ people: administrator }),
  },
  dashboard: {
    /** server-behaviour 16.2: published dashboards without any widget that the user may see are not in the user's list. */
    list: rule({
      people: anyOf<DashboardFacts & { shows: readonly SourceFacts[] }>(
        ownsDashboard,
        granteeOf('dashboards'),
        allOf<{ is_draft: boolean; shows: readonly SourceFacts[] }>(isPublished, showsSeenSource),
      ),
    }),
    find: rule({
      people: allOf<DashboardFacts & { shows: readonly SourceFacts[] }>(
        holds('list_dashboards'),
        anyOf<DashboardFacts & { shows: readonly SourceFacts[] }>(
          ownsDashboard,
          granteeOf('dashboards'),
          allOf<{ is_draft: boolean; shows: readonly SourceFacts[] }>(isPublished, showsSeenSource),
        ),
      ),
    }),
    /** design 8: drafts are for the owner, users whom the owner gave access, and administrators. */
    view: rule<DashboardFacts>({
      people: anyOf<DashboardFacts>(isPublished, ownsDashboard, granteeOf('dashboards')),
      dashboard_token: (token, { id }) => token.object_id === id,
    }),
    edit: rule({
      people: allOf<DashboardFacts>(holds('edit_dashboard'), anyOf<DashboardFacts>(ownsDashboard, granteeOf('dashboards', 'modify'))),
    }),
    archive: rule({ people: ownsDashboard }),
    /** Sharing covers the secret address and the access of others (W6). */
    share: rule({ people: ownsDashboard }),
    list_shared: rule({ people: administrator }),
  },
  widget: {
    /** The widget's content: a query, live uplinks, or a text. Undefined stands for a deleted query. */
    view: rule<{ query: QueryFacts | null | undefined; is_live: boolean; channel_pk?: number | undefined }>({
      people: only((who, { query, is_live, channel_pk = 0 }) => {
        if (is_live && !seesChannel('').allows(who, { channel_pk })) return false;
        return query === null || (query !== undefined && seesQuery.allows(who, query));
      }),
    }),
  },
  snippet: {
    list: rule({ people: anybody }),
    create: rule({ people: holds('create_query') }),
    edit: rule({ people: anyOf<Owned>(administrator, ownerOf('query_snippets')) }),
  },
  channel: {
    view: rule({ people: holds('view_channel') }),
    /** design 8.1: whether the channel is among the user's; checked beside `view` and `manage`. */
    reach: rule({ people: inChannel('channel.id') }),
    /** All channels, also future ones. */
    reach_all: rule({ people: inAllChannels }),
    create: rule({ people: allOf<unknown>(holds('manage_channel'), inAllChannels) }),
    manage: rule({ people: holds('manage_channel') }),
    read_key: rule({ people: holds('manage_channel') }),
  },
  device: {
    view: rule({ people: holds('view_channel') }),
    manage: rule({ people: holds('manage_channel') }),
    read_key: rule({ people: holds('manage_channel') }),
  },
  alert: {
    list: rule({ people: looksAtAlert }),
    /** design 8.1: with `list_alerts`, or the own alert; and the watched object is in reach. */
    view: rule({ people: looksAtAlert }),
    /** design 8.1: values of a query come from a result, which users with fewer channels may not read, although they see the query. */
    read_values: rule({ people: readsWatched }),
    /** Mail about an alert goes only to users who see the watched object, because it contains values and rows. */
    be_notified: rule({ people: readsWatched }),
    create: rule({ people: seesAlert }),
    edit: rule({ people: anyOf<Owned>(administrator, ownerOf('alerts')) }),
    subscribe: rule({ people: readsWatched }),
    /** A6: a subscription is removed by the user who made it. */
    unsubscribe: rule({
      people: anyOf<Owned>(
        administrator,
        only((who, { user_id }) => who.id === user_id, 'made the subscription'),
      ),
    }),
  },
  destination: {
    list: rule({ people: anybody }),
    administer: rule({ people: administrator }),
  },
  command: {
    view: rule({ people: holds('view_channel') }),
    send: rule({ people: holds('send_command') }),
    edit: rule({ people: holds('send_command') }),
  },
  network: {
    administer: rule({ people: administrator }),
  },
  user: {
    list: rule({ people: holds('list_users') }),
    view: rule({ people: anyOf<{ id: number }>(self, holds('list_users')) }),
    edit: rule({ people: selfOrAdministrator }),
    read_key: rule({ people: selfOrAdministrator }),
    /** A6: users can only change their own password. */
    change_password: rule({ people: self }),
    change_groups: rule({ people: administrator }),
    end_sessions: rule({ people: selfOrAdministrator }),
    /** Only the users themselves hold the device; administrators remove a lost one. */
    add_factor: rule({ people: self }),
    remove_factor: rule({ people: selfOrAdministrator }),
    administer: rule({ people: administrator }),
    /** Users cannot disable or delete their own account. */
    remove: rule({
      people: allOf<{ id: number }>(
        administrator,
        only((who, { id }) => who.id !== id),
      ),
    }),
  },
  group: {
    view: rule({ people: anyOf<{ id: number }>(administrator, memberOfGroup()) }),
    list: rule({ people: anyOf<{ id: number }>(administrator, memberOfGroup()) }),
    administer: rule({ people: administrator }),
    /** A6: users cannot take themselves out of a built-in group. */
    remove_member: rule<{ is_built_in: boolean; user_id: number }>({
      people: allOf<{ is_built_in: boolean; user_id: number }>(
        administrator,
        only((who, { is_built_in, user_id }) => !is_built_in || who.id !== user_id),
      ),
    }),
  },
  organization: {
    administer: rule({ people: administrator }),
    read_metrics: rule({ people: administrator }),
  },
};

function memberOfGroup(): Clause<{ id: number }> {
  return {
    allows: (who, { id }) => who.group_ids.includes(id),
    where: (who) => sql<boolean>`groups.id = any(${who.group_ids}::int[])`,
  };
}

type Policy = typeof policy;
export type PolicyObject = keyof Policy;
type FactsOf<R> = R extends Rule<infer F> ? F : never;
/** No facts where the rule needs none. */
type FactsArgument<F> = unknown extends F ? [] : [facts: F];

export function may<O extends PolicyObject, A extends keyof Policy[O] & string>(
  who: Principal,
  action: A,
  object: O,
  ...facts: FactsArgument<FactsOf<Policy[O][A]>>
): boolean {
  return isAllowed(policy[object][action] as Rule<unknown>, who, facts[0]);
}

/** The same for a list: an SQL condition, true for the rows for which `may` would answer true. */
export function whereMay<O extends PolicyObject, A extends keyof Policy[O] & string>(who: Person, action: A, object: O): Condition {
  return asCondition((policy[object][action] as Rule<unknown>).people.where(who));
}

/** The same decision with its reason, for the matrix of access. */
export function explainMay<O extends PolicyObject>(
  who: Person,
  action: keyof Policy[O] & string,
  object: O,
  facts: unknown,
): { allowed: boolean; reason: string } {
  return explain(policy[object][action] as Rule<unknown>, who, facts);
}

/** Whether a user has a permission, for the matrix of access; rooms call `may`. */
export const isHeld = (who: Person, permission: Permission): boolean => holds(permission).allows(who, undefined);
