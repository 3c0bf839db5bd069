import type { KeyHolder, Person } from '@telltale/domain/access/identity.ts';
import { nobody } from '@telltale/domain/access/identity.ts';
import { defaultPermissions } from '@telltale/domain/access/permissions.ts';
import { describe, expect, test } from 'vitest';
import { builtInType } from './facts.ts';
import { may, type PolicyObject, policy } from './policy.ts';
import { type Principal, scheduleOf, together } from './principals.ts';
import { isAllowed, type Rule } from './rule.ts';

const person = (id: number, group_ids: number[], permissions: readonly string[] = defaultPermissions): Person => ({
  kind: 'user',
  id,
  org_id: 1,
  name: '',
  email: '',
  group_ids,
  permissions: [...permissions],
  via: 'session',
  session_id: 1,
  channel_pks: null,
});

/** The source has group 1 in full and group 2 view-only. The query has the id 10, its dashboard 20, and both belong to the owner. */
const owner = person(1, [1]);
const people = {
  owner,
  grantee: person(2, [2]),
  full: person(3, [1]),
  view: person(4, [2]),
  stranger: person(5, [9]),
  powerless: person(6, [1], []),
  admin: person(7, [], ['admin']),
};
const holder = (kind: KeyHolder['kind'], object_id: number, acts_for = [owner]): KeyHolder => ({
  kind,
  org_id: 1,
  object_id,
  acts_for,
  name: '',
  permissions: ['view_query'],
});
const principals: Record<string, Principal> = {
  ...people,
  key: holder('query_key', 10),
  'key of another query': holder('query_key', 11),
  'key whose owner lost the source': holder('query_key', 10, [people.stranger]),
  'key of nobody': holder('query_key', 10, []),
  token: holder('dashboard_token', 20),
  'token of another dashboard': holder('dashboard_token', 21),
  'token whose sharer lost the source': holder('dashboard_token', 20, [people.stranger]),
  schedule: scheduleOf(10, [owner]),
  'schedule whose owner lost the source': scheduleOf(10, [people.stranger]),
  'owner and full': together([owner, people.full]),
  'owner and stranger': together([owner, people.stranger]),
  'no people': together([]),
  nobody,
};

const source = {
  type: 'pg',
  groups: [
    { group_id: 1, view_only: false },
    { group_id: 2, view_only: true },
  ],
};
const query = { id: 10, user_id: 1, source, stands_on: [20], grants: [{ grantee: 2, access_type: 'modify' as const }], is_draft: true };
const dashboard = { ...query, id: 20, shows: [source] };
/** A safe query; a draft; a result that user 4 ran and that no query shows; a job that no other user joined. */
const facts: Record<PolicyObject, unknown> = {
  data_source: source,
  query: { ...query, is_safe: true, is_asked_by_widget: true, joined: [source] },
  query_key: { ...query, is_readable: true },
  visualization: query,
  result: { source, joined: [source], channel_pks: [], user_ids: [4], queries: [], answers_holder: true },
  job: { user_id: 1, is_member: false },
  dashboard,
  widget: { query, is_live: true },
  snippet: { user_id: 1 },
  channel: { channel_pk: 5 },
  device: {},
  alert: { user_id: 1, query, channel_pk: null, joined: [source], channel_pks: [] },
  destination: {},
  command: {},
  network: {},
  user: { id: 1 },
  group: { id: 1, is_built_in: true, user_id: 7 },
  organization: {},
};

const colleagues = ['owner', 'grantee', 'full', 'view', 'stranger', 'admin', 'owner and full', 'owner and stranger'];
const everybody = [...colleagues, 'powerless'];
const viewers = ['owner', 'grantee', 'full', 'view', 'powerless', 'admin', 'owner and full'];
const owners = ['owner', 'admin'];
const editors = ['owner', 'grantee', 'admin'];

/** The users who may; all others may not. A rule without an entry here fails. */
const expected: Record<string, string[]> = {
  'data_source list': viewers,
  'data_source view': viewers,
  'data_source run': ['owner', 'full', 'admin', 'owner and full'],
  'data_source write': ['owner', 'full', 'admin', 'schedule', 'owner and full'],
  'data_source save_queries': ['owner', 'full', 'powerless', 'admin', 'owner and full'],
  'data_source view_list_entry': colleagues,
  'data_source administer': ['admin'],
  'query list': viewers,
  'query find': viewers.filter((name) => name !== 'powerless'),
  'query list_archived': owners,
  'query view': [...viewers, 'key', 'token', 'schedule'],
  'query read_text': everybody,
  'query run': [...viewers, 'key', 'token'],
  'query choose_values': [...viewers, 'key', 'token'],
  'query choose_form': everybody,
  'query edit': editors,
  'query archive': owners,
  'query share': owners,
  'query schedule': colleagues,
  'query_key view': viewers,
  'query_key list': owners,
  'query_key revoke': owners,
  'query_key regenerate': editors,
  'visualization view': [...viewers, 'key', 'token'],
  'visualization edit': editors,
  'result view': ['owner', 'full', 'view', 'powerless', 'admin', 'owner and full'],
  'result view_joined': viewers,
  'job view': owners,
  'job cancel_for_all': ['admin'],
  'dashboard list': editors,
  'dashboard find': editors,
  'dashboard view': [...editors, 'token'],
  'dashboard edit': editors,
  'dashboard archive': owners,
  'dashboard share': owners,
  'dashboard list_shared': ['admin'],
  'widget view': viewers.filter((name) => name !== 'powerless'),
  'snippet list': everybody,
  'snippet create': colleagues,
  'snippet edit': owners,
  'channel view': colleagues,
  'channel reach': everybody,
  'channel reach_all': everybody,
  'channel create': colleagues,
  'channel manage': colleagues,
  'channel read_key': colleagues,
  'device view': colleagues,
  'device manage': colleagues,
  'device read_key': colleagues,
  'alert list': viewers.filter((name) => name !== 'powerless'),
  'alert view': viewers.filter((name) => name !== 'powerless'),
  'alert read_values': viewers,
  'alert be_notified': viewers,
  'alert create': viewers,
  'alert edit': owners,
  'alert subscribe': viewers,
  'alert unsubscribe': owners,
  'destination list': everybody,
  'destination administer': ['admin'],
  'command view': colleagues,
  'command send': colleagues,
  'command edit': colleagues,
  'network administer': ['admin'],
  'user list': colleagues,
  'user view': colleagues,
  'user edit': owners,
  'user read_key': owners,
  'user change_password': ['owner'],
  'user change_groups': ['admin'],
  'user end_sessions': owners,
  'user add_factor': ['owner'],
  'user remove_factor': owners,
  'user administer': ['admin'],
  'user remove': ['admin'],
  'group view': ['owner', 'full', 'powerless', 'admin', 'owner and full'],
  'group list': ['owner', 'full', 'powerless', 'admin', 'owner and full'],
  'group administer': ['admin'],
  'group remove_member': [],
  'organization administer': ['admin'],
  'organization read_metrics': ['admin'],
};

const lines = Object.entries(policy).flatMap(([object, actions]) =>
  Object.entries(actions).map(([action, stated]) => [`${object} ${action}`, object as PolicyObject, stated as Rule<unknown>] as const),
);

describe('security 20: who may do what, for every object and action', () => {
  test.each(lines)('%s', (name, object, stated) => {
    const allowed = Object.keys(principals).filter((who) => isAllowed(stated, principals[who] as Principal, facts[object]));
    expect(allowed.toSorted()).toEqual(expected[name]?.toSorted());
  });

  test('every expectation is about a line of the table', () => {
    expect(Object.keys(expected).toSorted()).toEqual(lines.map(([name]) => name).toSorted());
  });
});

describe('what depends on the object', () => {
  const { full, view, stranger, grantee, powerless } = people;

  test('design 8: IoT data needs view_channel as well as access to the source', () => {
    const iot = { ...source, type: builtInType };
    expect(may(full, 'view', 'data_source', iot)).toBe(true);
    expect(may(powerless, 'view', 'data_source', iot)).toBe(false);
    expect(may(powerless, 'view', 'query', { ...query, source: iot })).toBe(false);
    expect(may(holder('query_key', 10, [powerless]), 'view', 'query', { ...query, source: iot })).toBe(false);
  });

  test('a query without a source is for its owner and administrators', () => {
    const orphan = { ...query, source: null };
    const seen = Object.keys(people).filter((name) => may(people[name as keyof typeof people], 'view', 'query', orphan));
    expect(seen).toEqual(['owner', 'admin']);
    expect(may(owner, 'run', 'query', { ...orphan, is_safe: true })).toBe(false);
  });

  test('server-behaviour 8.1: free text needs full access and execute_query, and is never for keys and tokens', () => {
    const unsafe = { ...query, is_safe: false };
    const runs = Object.keys(principals).filter((name) => may(principals[name] as Principal, 'run', 'query', unsafe));
    expect(runs).toEqual(['owner', 'full', 'admin', 'owner and full']);
  });

  test('a token asks for no other values than a widget would', () => {
    expect(may(holder('dashboard_token', 20), 'choose_values', 'query', { ...query, is_asked_by_widget: false })).toBe(false);
  });

  test('a result is for who ran it, has full access to its source or sees a query that it is a result of', () => {
    const result = { source, channel_pks: [], joined: [], user_ids: [view.id], queries: [] };
    expect([full, view, grantee, stranger].map((who) => may(who, 'view', 'result', result))).toEqual([true, true, false, false]);
    expect(may(grantee, 'view', 'result', { ...result, queries: [query] })).toBe(true);
    expect(may(stranger, 'view', 'result', { ...result, user_ids: [stranger.id], queries: [query] })).toBe(false);
  });

  test('W10: each source that its rows came from must be seen, and one that is gone is not', () => {
    const hidden = { type: 'pg', groups: [{ group_id: 7, view_only: false }] };
    const result = { source, channel_pks: [], user_ids: [], queries: [query] };
    for (const joined of [[source, hidden], [undefined]]) expect(may(full, 'view', 'result', { ...result, joined })).toBe(false);
  });

  test('security 23: a key or token reads what answers it, of its own query or dashboard', () => {
    const result = { source, channel_pks: [], joined: [], user_ids: [], queries: [query] };
    for (const who of [holder('query_key', 10), holder('dashboard_token', 20)]) {
      expect(may(who, 'view', 'result', { ...result, answers_holder: true })).toBe(true);
      expect(may(who, 'view', 'result', result)).toBe(false);
      expect(may({ ...who, object_id: 99 }, 'view', 'result', { ...result, answers_holder: true })).toBe(false);
      expect(may({ ...who, acts_for: [stranger] }, 'view', 'result', { ...result, answers_holder: true })).toBe(false);
    }
  });

  test('W8: a job is visible to its members, keys and tokens included', () => {
    const joined = { user_id: null, is_member: true };
    for (const who of [stranger, holder('query_key', 10), holder('dashboard_token', 20)])
      expect(may(who, 'view', 'job', joined)).toBe(true);
    expect(may(nobody, 'view', 'job', joined)).toBe(false);
  });

  test('A6: alerts on devices need view_channel', () => {
    const alert = { user_id: 1, query: null, channel_pk: 5 };
    expect([stranger, powerless].map((who) => may(who, 'create', 'alert', alert))).toEqual([true, false]);
  });

  test('design 8.1: a channel, its live widgets and its alerts are for the groups that were given it, a result for who sees all it was read from', () => {
    const [given, refused] = [
      { ...stranger, channel_pks: [5, 6] },
      { ...stranger, channel_pks: [6] },
    ];
    const who = [stranger, given, refused];
    expect(who.map((each) => may(each, 'reach', 'channel', { channel_pk: 5 }))).toEqual([true, true, false]);
    expect(who.map((each) => may(each, 'create', 'channel'))).toEqual([true, false, false]);
    expect(who.map((each) => may(each, 'view', 'widget', { query: null, is_live: true, channel_pk: 5 }))).toEqual([true, true, false]);
    expect(who.map((each) => may(each, 'create', 'alert', { user_id: 1, query: null, channel_pk: 5 }))).toEqual([true, true, false]);
    const joined = { joined: [], channel_pks: [5] };
    expect(who.map((each) => may(each, 'view_joined', 'result', joined))).toEqual([true, true, false]);
    expect(who.map((each) => may(each, 'view_joined', 'result', { ...joined, channel_pks: null }))).toEqual([true, false, false]);
    const watched = { ...joined, user_id: 1, query: null, channel_pk: 6 };
    for (const action of ['read_values', 'be_notified', 'subscribe'] as const)
      expect(who.map((each) => may(each, action, 'alert', watched))).toEqual([true, true, false]);
    expect(may(holder('dashboard_token', 20, [given, refused]), 'reach', 'channel', { channel_pk: 5 })).toBe(false);
  });

  test('design 8: a published dashboard is open to all, and listed for who sees something on it', () => {
    const published = { ...dashboard, is_draft: false };
    expect([view, stranger].map((who) => may(who, 'view', 'dashboard', published))).toEqual([true, true]);
    expect([view, stranger].map((who) => may(who, 'list', 'dashboard', published))).toEqual([true, false]);
  });
});
