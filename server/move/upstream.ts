import {
  type Bundle,
  MovedAlert,
  MovedDashboard,
  MovedGroup,
  MovedQuery,
  MovedUser,
  type MoveReport,
  type upstreamKinds,
} from '@telltale/domain/move/contract.ts';
import { ownPositions, StoredPosition } from '@telltale/domain/move/upstream-positions.ts';
import { z } from 'zod';
import { JobError } from '../platform/jobs/define.ts';
import { OutgoingError, type OutgoingHttp } from '../platform/outgoing.ts';

export interface Upstream {
  url: string;
  api_key: string;
  what: readonly (typeof upstreamKinds)[number][];
}

const mostPages = 400;
const pageSize = 250;

const Page = z.object({ results: z.array(z.unknown()), count: z.number() });
const Listed = z.looseObject({ id: z.int(), name: z.string().catch(''), slug: z.string().optional() });
const Source = z.looseObject({ id: z.int(), name: z.string(), type: z.string().catch('') });
const Widget = z.looseObject({
  text: z.string().nullish(),
  width: z.number().catch(1),
  options: z.record(z.string(), z.unknown()).catch({}),
  visualization: z.looseObject({ id: z.int() }).nullish(),
});

/** Reads a Redash-compatible installation by its HTTP API, with the rights of the key. */
export class UpstreamReader {
  readonly #http: OutgoingHttp;
  readonly #upstream: Upstream;
  readonly #signal: AbortSignal;
  readonly unread: MoveReport['entries'] = [];

  constructor(http: OutgoingHttp, upstream: Upstream, signal: AbortSignal) {
    this.#http = http;
    this.#upstream = upstream;
    this.#signal = signal;
  }

  async read(): Promise<Bundle> {
    const has = (kind: Upstream['what'][number]) => this.#upstream.what.includes(kind);
    // This first request verifies the address and the key.
    const sources = new Map(
      z
        .array(Source)
        .parse(await this.#get('api/data_sources'))
        .map((source) => [source.id, source]),
    );
    const groups = has('groups') || has('users') ? await this.#each('group', await this.#list('api/groups'), MovedGroup) : [];
    const users = has('users') ? await this.#users() : [];
    const needsQueries = has('queries') || has('dashboards') || has('alerts');
    const queries = needsQueries ? await this.#queries(sources) : [];
    const dashboards = has('dashboards') ? await this.#dashboards() : [];
    const alerts = has('alerts') ? await this.#alerts() : [];
    return { format: 'telltale objects 1', groups, users, channels: [], queries, dashboards, alerts, commands: [] };
  }

  async #users() {
    const rows = (await this.#list('api/users')).map((user) => {
      const { groups } = user as { groups?: unknown };
      const ids = Array.isArray(groups)
        ? groups.map((group) => (typeof group === 'number' ? group : (group as { id?: unknown } | null)?.id))
        : [];
      return { ...(user as object), group_ids: ids.filter((id) => typeof id === 'number') };
    });
    return this.#each('user', rows, MovedUser);
  }

  async #queries(sources: ReadonlyMap<number, z.output<typeof Source>>) {
    const rows: unknown[] = [];
    for (const { id, name } of this.#listed('query', await this.#list('api/queries'))) {
      const query = await this.#detail('query', name, `api/queries/${id}`);
      if (!query) continue;
      const source = sources.get(Number(query.data_source_id));
      rows.push({ ...query, data_source: source ? { id: source.id, name: source.name, type: source.type } : null });
    }
    // Upstream shows tabs by their making, whatever the order of its answer.
    return this.#each('query', rows, MovedQuery).map((query) => ({
      ...query,
      visualizations: query.visualizations.toSorted((one, other) => one.id - other.id),
    }));
  }

  async #dashboards() {
    const rows: unknown[] = [];
    for (const { id, name, slug } of this.#listed('dashboard', await this.#list('api/dashboards'))) {
      // Older versions know dashboards by their slugs.
      const dashboard =
        (await this.#find(`api/dashboards/${id}`)) ?? (slug && (await this.#find(`api/dashboards/${encodeURIComponent(slug)}`)));
      if (!dashboard) {
        this.unread.push({ kind: 'dashboard', name, outcome: 'refused', reason: 'It could not be read there.' });
        continue;
      }
      const widgets = z.array(Widget).catch([]).parse(dashboard.widgets);
      const positions = ownPositions(widgets.map(({ options }) => StoredPosition.safeParse(options.position).data));
      rows.push({
        ...dashboard,
        widgets: widgets.map(({ visualization, options, ...widget }, at) => ({
          ...widget,
          options: positions[at] ? { ...options, position: positions[at] } : options,
          visualization_id: visualization?.id ?? null,
        })),
      });
    }
    return this.#each('dashboard', rows, MovedDashboard);
  }

  async #alerts() {
    const rows = (await this.#list('api/alerts')).map((alert) => {
      const { query, options, rearm } = alert as { query?: { id?: unknown }; options?: Record<string, unknown>; rearm?: unknown };
      return {
        ...(alert as object),
        query_id: query?.id ?? null,
        options: { ...options, muted: options?.muted ?? false },
        rearm: rearm ?? null,
      };
    });
    return this.#each('alert', rows, MovedAlert);
  }

  #listed(kind: string, rows: unknown[]) {
    return this.#each(kind, rows, Listed);
  }

  /** An object that cannot be read is reported as refused; the others are still imported. */
  async #detail(kind: string, name: string, path: string): Promise<Record<string, unknown> | undefined> {
    const found = await this.#find(path);
    if (!found) this.unread.push({ kind, name, outcome: 'refused', reason: 'It could not be read there.' });
    return found;
  }

  #each<S extends z.ZodType>(kind: string, rows: unknown[], shape: S): z.output<S>[] {
    return rows.flatMap((row) => {
      const parsed = shape.safeParse(row);
      if (parsed.success) return [parsed.data];
      const name = String((row as { name?: unknown } | null)?.name ?? '?').slice(0, 255);
      this.unread.push({
        kind,
        name,
        outcome: 'refused',
        reason: `It has an unexpected form: ${parsed.error.issues[0]?.path.join('.') ?? ''}.`,
      });
      return [];
    });
  }

  /** Accepts bare arrays and pages, whichever the version answers. */
  async #list(path: string): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let page = 1; page <= mostPages; page++) {
      const answer = await this.#get(`${path}?page=${page}&page_size=${pageSize}`);
      if (Array.isArray(answer)) return answer;
      const parsed = Page.safeParse(answer);
      if (!parsed.success) throw new JobError(`${path} answered something that is no list.`);
      rows.push(...parsed.data.results);
      if (parsed.data.results.length === 0 || rows.length >= parsed.data.count) return rows;
    }
    return rows;
  }

  async #find(path: string): Promise<Record<string, unknown> | undefined> {
    try {
      const answer = await this.#get(path);
      return answer !== null && typeof answer === 'object' && !Array.isArray(answer) ? (answer as Record<string, unknown>) : undefined;
    } catch (error) {
      if (error instanceof JobError) return undefined;
      throw error;
    }
  }

  async #get(path: string): Promise<unknown> {
    const { url, api_key } = this.#upstream;
    const address = new URL(path, url.endsWith('/') ? url : `${url}/`).href;
    try {
      const headers = { authorization: `Key ${api_key}`, accept: 'application/json' };
      const response = await this.#http.fetch(address, {
        headers,
        signal: this.#signal,
        redirects: 3,
        maxBytes: 32 * 1024 ** 2,
        timeoutMs: 60_000,
      });
      const text = await response.text();
      if (response.status === 401 || response.status === 403)
        throw new JobError(`The installation refused the key (${path} answered ${response.status}).`);
      if (response.status !== 200) throw new JobError(`${path} answered ${response.status}.`);
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof OutgoingError) throw new JobError(error.message);
      if (error instanceof SyntaxError)
        throw new JobError(`${path} answered something that is no JSON. Is this the address of the installation?`);
      throw error;
    }
  }
}
