import { z } from 'zod';
import { aclApi } from '../access/grants.ts';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { favoriteApi } from '../favorites/contract.ts';
import { ListParams, page } from '../lists/contract.ts';
import { Tags, TagsReply } from '../tags/contract.ts';
import { Position } from './grid.ts';
import { DashboardOptions, GivenDashboardOptions } from './options.ts';
import { PublicWidget, Widget } from './widget.ts';

const common = {
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  /** The address of its page: `/dashboards/{id}-{slug}`. */
  url: z.string(),
  user_id: z.int(),
  user: z.object({ id: z.int(), name: z.string(), email: z.string(), profile_image_url: z.string() }),
  /** Unused: the arrangement is stored in the widgets. */
  layout: z.array(z.never()),
  dashboard_filters_enabled: z.boolean(),
  options: DashboardOptions,
  is_archived: z.boolean(),
  is_draft: z.boolean(),
  tags: z.array(z.string()),
  version: z.int(),
  is_favorite: z.boolean(),
  created_at: Time,
  updated_at: Time,
};

/** Ours: for the user who shared it, how long the address works and how often it was opened. */
export const Share = z.object({
  public_url: z.string(),
  api_key: z.string(),
  expires_at: Time.nullable(),
  view_count: z.int(),
  last_viewed_at: Time.nullable(),
  created_at: Time,
});
export type Share = z.infer<typeof Share>;

/** security 23: a shared dashboard in the list for administrators; the addresses themselves are on the dashboards. */
export const SharedDashboard = Share.omit({ public_url: true, api_key: true }).extend({
  dashboard_id: z.int(),
  name: z.string(),
  url: z.string(),
  shared_by: z.object({ id: z.int(), name: z.string() }),
});
export type SharedDashboard = z.infer<typeof SharedDashboard>;

/** server-behaviour 16.1, the single-object form. */
export const Dashboard = z.object({
  ...common,
  widgets: z.array(Widget),
  can_edit: z.boolean(),
  /** D3: whether a public address works now. */
  publicAccessEnabled: z.boolean(),
  /** W6: for the owner and administrators only, while it is shared. */
  public_url: z.string().optional(),
  api_key: z.string().optional(),
  share: Share.optional(),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** A dashboard in lists and in the answer to its creation. */
export const ListedDashboard = z.object({ ...common, widgets: z.null(), starred_at: Time.optional() });
export type ListedDashboard = z.infer<typeof ListedDashboard>;

/** server-behaviour 16.5: the dashboard as readers with the secret address get it. */
export const PublicDashboard = z.object({
  name: z.string(),
  layout: z.array(z.never()),
  dashboard_filters_enabled: z.boolean(),
  options: DashboardOptions,
  widgets: z.array(PublicWidget),
  created_at: Time,
  updated_at: Time,
});
export type PublicDashboard = z.infer<typeof PublicDashboard>;

/** D5: trimmed, and never empty. */
export const DashboardName = z
  .string('Name is required.')
  .trim()
  .min(1, 'Name is required.')
  .max(100, 'Name is too long (at most 100 characters).');

export const NewDashboard = z.object({ name: DashboardName });
export type NewDashboard = z.output<typeof NewDashboard>;

/** W9: the fields that may be set; others in a body are ignored, because clients post whole objects back. */
export const DashboardChanges = z
  .object({
    name: DashboardName,
    tags: Tags,
    is_draft: z.boolean(),
    is_archived: z.boolean(),
    dashboard_filters_enabled: z.boolean(),
    options: GivenDashboardOptions,
    version: z.int(),
  })
  .partial();
export type DashboardChanges = z.output<typeof DashboardChanges>;

/** design 8: every moved widget with its last known version. Without a version the caller means to overwrite. */
export const LayoutChange = z.object({
  widgets: z
    .array(z.object({ id: Id, version: z.int().optional(), options: z.object({ position: Position }) }))
    .max(1000, 'There are too many widgets (at most 1000).'),
});
export type LayoutChange = z.output<typeof LayoutChange>;

export const PlacedWidget = z.object({ id: z.int(), version: z.int(), options: z.object({ position: Position }), updated_at: Time });
export type PlacedWidget = z.infer<typeof PlacedWidget>;

/** The answer beside `message` in the 409 of a layout: the current positions and the deleted widgets. Nothing was saved. */
export const LayoutConflict = z.object({ message: z.string(), widgets: z.array(PlacedWidget), removed: z.array(z.int()) });
export type LayoutConflict = z.infer<typeof LayoutConflict>;

export const ShareRequest = z.object({
  /** Ours: when the address stops working; null for never, unchanged when left out. */
  expires_at: Time.nullish(),
  /** Ours: makes a new address; the old one stops working. */
  rotate: z.boolean().nullish(),
});
export type ShareRequest = z.output<typeof ShareRequest>;

/** D5. */
export const unsafeShareMessage =
  'For your security, sharing is currently not supported for dashboards containing queries with text parameters. Consider changing the text parameters in your query to a different type.';

const list = (path: string, summary: string) =>
  endpoint('GET', `/api/dashboards${path}`, { needs: 'list_dashboards', query: ListParams, reply: page(ListedDashboard), summary });
const path = '/api/dashboards/:id';

export const dashboardsApi = {
  list: list('', 'Dashboards that one can see.'),
  my: list('/my', 'One’s own dashboards.'),
  favorites: list('/favorites', 'Starred dashboards.'),
  recent: list('/recent', 'Dashboards that one can see, the one changed last first.'),
  shared: endpoint('GET', '/api/dashboards/shared', {
    needs: 'admin',
    reply: z.array(SharedDashboard),
    summary: 'Every dashboard that has a public address now, the one opened last first.',
  }),
  tags: endpoint('GET', '/api/dashboards/tags', {
    needs: 'list_dashboards',
    reply: TagsReply,
    summary: 'Tags of the dashboards one can see, and how many have each.',
  }),
  create: endpoint('POST', '/api/dashboards', {
    needs: 'create_dashboard',
    body: NewDashboard,
    reply: ListedDashboard,
    summary: 'Makes an empty dashboard, a draft.',
  }),
  get: endpoint('GET', path, {
    needs: 'list_dashboards',
    /** An id, with or without a name behind a dash; with `legacy` a name from an old address. */
    params: z.object({ id: z.string().min(1).max(200) }),
    query: z.object({ legacy: z.string().optional() }),
    reply: Dashboard,
    summary: 'One dashboard with its widgets.',
  }),
  save: endpoint('POST', path, {
    needs: 'edit_dashboard',
    params: ById,
    body: DashboardChanges,
    reply: Dashboard,
    summary: 'Changes the sent fields; a stale version is refused with 409.',
  }),
  archive: endpoint('DELETE', path, {
    needs: 'edit_dashboard',
    params: ById,
    reply: Dashboard,
    summary: 'Archives a dashboard; its public address stops working.',
  }),
  fork: endpoint('POST', `${path}/fork`, {
    needs: 'create_dashboard',
    params: ById,
    reply: Dashboard,
    summary: 'Copies a dashboard with the widgets one may see, as a draft of one’s own.',
  }),
  layout: endpoint('POST', `${path}/layout`, {
    needs: 'edit_dashboard',
    params: ById,
    body: LayoutChange,
    reply: z.object({ widgets: z.array(PlacedWidget) }),
    summary: 'Moves widgets, all or none; a stale version is refused with 409, which says what stands there now.',
  }),
  share: endpoint('POST', `${path}/share`, {
    needs: 'edit_dashboard',
    params: ById,
    body: ShareRequest,
    reply: Share,
    summary: 'Gives a dashboard its public address, for its owner and administrators.',
  }),
  unshare: endpoint('DELETE', `${path}/share`, {
    needs: 'edit_dashboard',
    params: ById,
    reply: Empty,
    summary: 'The public address stops working at once.',
  }),
  public: endpoint('GET', '/api/dashboards/public/:token', {
    needs: 'anyone',
    params: z.object({ token: z.string().min(1).max(200) }),
    reply: PublicDashboard,
    summary: 'A shared dashboard, for whoever has its token.',
  }),
};

export const dashboardFavoriteApi = favoriteApi(path, 'list_dashboards');
export const dashboardAclApi = aclApi(path, 'list_dashboards');
