import { z } from 'zod';
import { aclApi } from '../access/grants.ts';
import { ColumnDisplay } from '../channels/attribute-display.ts';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { favoriteApi } from '../favorites/contract.ts';
import { Job } from '../jobs/contract.ts';
import { isShallow, tooDeepMessage } from '../json-depth.ts';
import { ListParams, page } from '../lists/contract.ts';
import { QueryOptions } from '../parameters/contract.ts';
import { QueryFlag } from '../query-flag.ts';
import { ExecuteReply } from '../results/contract.ts';
import { Tags, TagsReply } from '../tags/contract.ts';
import { User } from '../users/contract.ts';
import { Visualization } from '../visualizations/contract.ts';

/** A stored schedule; whatever a script once sent is answered unchanged. domain/schedules reads the part that runs (W24). */
export const Schedule = z.looseObject({
  interval: z.union([z.number(), z.string(), z.null()]).optional(),
  time: z.string().nullable().optional(),
  day_of_week: z.string().nullable().optional(),
  until: z.string().nullable().optional(),
});

const common = {
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  query: z.string(),
  query_hash: z.string(),
  data_source_id: z.int().nullable(),
  latest_query_data_id: z.int().nullable(),
  schedule: Schedule.nullable(),
  options: QueryOptions,
  tags: z.array(z.string()),
  is_archived: z.boolean(),
  is_draft: z.boolean(),
  is_safe: z.boolean(),
  is_favorite: z.boolean(),
  version: z.int(),
  created_at: Time,
  updated_at: Time,
};

/** server-behaviour 7.1, the single-object form. */
export const Query = z.object({
  ...common,
  api_key: z.string().optional(),
  user: User,
  last_modified_by: User.nullable(),
  visualizations: z.array(Visualization),
  can_edit: z.boolean().optional(),
  /** Ours: made with the New Query dialog, so `api/myqueries/{id}` knows its devices. */
  is_from_devices: z.boolean(),
  /** Ours, of such a query: how the values of its columns are shown. */
  column_display: ColumnDisplay.optional(),
  /** Ours: when the schedule brings it up next; null when nothing does. */
  next_run_at: Time.nullable(),
  /** Ours: the reason why the stored schedule cannot be followed. */
  schedule_problem: z.string().optional(),
  /** Ours, in the answer for one query: the run that this reader waits for, and its seconds so far. */
  running: z.object({ job: Job, seconds: z.number() }).optional(),
});
export type Query = z.infer<typeof Query>;

/** A query for readers with a key: never the text, other keys, e-mail addresses or substitutes for them (design 8). */
const SharedQuery = Query.omit({
  query: true,
  query_hash: true,
  api_key: true,
  user: true,
  last_modified_by: true,
  data_source_id: true,
  schedule: true,
  is_favorite: true,
  next_run_at: true,
  schedule_problem: true,
  is_from_devices: true,
  running: true,
});

/** The list form: with facts of the last run, without key and visualizations. With `brief`, also without the text (W39). */
export const ListedQuery = z
  .object({
    ...common,
    user: User,
    last_modified_by_id: z.int().nullable(),
    last_modified_by: User.nullable(),
    retrieved_at: Time.nullable(),
    runtime: z.number().nullable(),
    starred_at: Time.optional(),
  })
  .partial({ query: true, query_hash: true, options: true, is_safe: true });
export type ListedQuery = z.infer<typeof ListedQuery>;

/** server-behaviour 7.5: the bare form. */
export const RecentQuery = z.object({ ...common, user_id: z.int(), last_modified_by_id: z.int().nullable() });
export type RecentQuery = z.infer<typeof RecentQuery>;

const QueryName = z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).');
const text = z.string('Query is required.').max(1_000_000, 'The query is too long.');

/** W9: the fields that may be set; others in a body are ignored, because clients post whole objects back. */
const fields = {
  name: QueryName,
  description: z.string().max(4096, 'Description is too long (at most 4096 characters).').nullable(),
  query: text,
  data_source_id: Id,
  schedule: Schedule.nullable(),
  /** Clients that post whole objects back send null for unset options. */
  options: QueryOptions.nullable()
    .transform((options) => options ?? QueryOptions.parse({}))
    .refine(isShallow, tooDeepMessage),
  tags: Tags,
  is_draft: z.boolean(),
};
export const NewQuery = z.object(fields).partial({ description: true, schedule: true, options: true, tags: true, is_draft: true });
/** `is_archived` archives and restores, for users who may (7.12). A source or version of null counts as not sent. */
export const QueryChanges = z
  .object({ ...fields, data_source_id: Id.nullable(), is_archived: z.boolean(), version: z.int().nullable() })
  .partial();
export type NewQuery = z.output<typeof NewQuery>;
export type QueryChanges = z.output<typeof QueryChanges>;

/** `brief` is ours: leaves out texts and options, which lists on screens do not show. */
export const QueryListParams = ListParams.extend({
  brief: QueryFlag.default(false),
});
export type QueryListParams = z.output<typeof QueryListParams>;

/** Q5: a request to format SQL or JSON; the dialect is that of the data source when one is named (ours). */
export const FormatRequest = z.object({
  query: text,
  syntax: z.string().max(40).nullish(),
  data_source_id: Id.nullish(),
});
export type FormatRequest = z.output<typeof FormatRequest>;

/** server-behaviour 7.18. */
const DropdownValues = z.array(z.object({ name: z.unknown(), value: z.string() }));

const list = (path: string, summary: string) =>
  endpoint('GET', `/api/queries${path}`, { needs: 'view_query', query: QueryListParams, reply: page(ListedQuery), summary });
const keys = ['query_key', 'dashboard_token'] as const;
const path = '/api/queries/:id';

export const queriesApi = {
  list: list('', 'Queries that are not archived, drafts included.'),
  my: list('/my', 'One’s own queries.'),
  archived: list('/archive', 'Archived queries: published ones, and one’s own drafts.'),
  favorites: list('/favorites', 'Starred queries.'),
  recent: endpoint('GET', '/api/queries/recent', {
    needs: 'view_query',
    reply: z.array(RecentQuery),
    summary: 'The ten own queries that were changed last.',
  }),
  tags: endpoint('GET', '/api/queries/tags', {
    needs: 'view_query',
    reply: TagsReply,
    summary: 'Tags of the queries one can see, and how many have each.',
  }),
  create: endpoint('POST', '/api/queries', {
    needs: 'create_query',
    body: NewQuery,
    reply: Query,
    summary: 'Saves a new query as a draft.',
  }),
  get: endpoint('GET', path, {
    needs: 'view_query',
    readers: ['query_key'],
    params: ById,
    reply: z.union([Query, SharedQuery]),
    summary: 'One query; readers by key get it without its text.',
  }),
  save: endpoint('POST', path, {
    needs: 'edit_query',
    params: ById,
    body: QueryChanges,
    reply: Query,
    summary: 'Changes the sent fields; a stale version is refused with 409.',
  }),
  archive: endpoint('DELETE', path, {
    needs: 'edit_query',
    params: ById,
    reply: Empty,
    summary: 'Archives a query: its schedule, alerts and widgets go.',
  }),
  restore: endpoint('POST', `${path}/restore`, {
    needs: 'edit_query',
    params: ById,
    reply: Query,
    summary: 'Brings an archived query back, without the widgets and alerts it had.',
  }),
  fork: endpoint('POST', `${path}/fork`, {
    needs: 'edit_query',
    params: ById,
    reply: Query,
    summary: 'Copies a query with its parameters and visualizations.',
  }),
  regenerateKey: endpoint('POST', `${path}/regenerate_api_key`, {
    needs: 'edit_query',
    params: ById,
    reply: Query,
    summary: 'Replaces the key of a query; the old one stops working at once.',
  }),
  refresh: endpoint('POST', `${path}/refresh`, {
    needs: 'execute_query',
    keyRefusal: 'Please use a user API key.',
    params: ById,
    query: z.record(z.string(), z.unknown()).optional(),
    reply: ExecuteReply,
    summary: 'Runs a saved query now, whatever is stored; with a person’s key.',
  }),
  dropdown: endpoint('GET', `${path}/dropdown`, {
    needs: 'view_query',
    readers: keys,
    params: ById,
    reply: DropdownValues,
    summary: 'What the latest result of a query offers as choices.',
  }),
  dropdownOf: endpoint('GET', `${path}/dropdowns/:dropdownId`, {
    needs: 'view_query',
    readers: keys,
    params: z.object({ id: Id, dropdownId: Id }),
    reply: DropdownValues,
    summary: 'The choices of a parameter of this query.',
  }),
  format: endpoint('POST', '/api/queries/format', {
    needs: 'signed_in',
    body: FormatRequest,
    reply: z.object({ query: z.string() }),
    summary: 'The same text with keywords in capitals and new indents.',
  }),
};

export const queryFavoriteApi = favoriteApi(path, 'view_query');
export const queryAclApi = aclApi(path, 'view_query');
