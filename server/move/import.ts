import { NewAlert } from '@telltale/domain/alerts/contract.ts';
import { NewChannel, NewDevice } from '@telltale/domain/channels/contract.ts';
import { DashboardChanges, NewDashboard } from '@telltale/domain/dashboards/contract.ts';
import { NewWidget } from '@telltale/domain/dashboards/widget.ts';
import type {
  Bundle,
  MovedAlert,
  MovedChannel,
  MovedDashboard,
  MovedQuery,
  MovedUser,
  MoveReport,
} from '@telltale/domain/move/contract.ts';
import { NewQuery } from '@telltale/domain/queries/contract.ts';
import { NewVisualization } from '@telltale/domain/visualizations/contract.ts';
import type { z } from 'zod';
import { createAlert } from '../alerts/alerts.ts';
import { createChannel } from '../channels/channels.ts';
import { createDevice } from '../channels/devices.ts';
import { createDashboard, saveDashboard } from '../dashboards/dashboards.ts';
import { createWidget } from '../dashboards/widgets.ts';
import { createGroup } from '../groups/groups.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError, invalid } from '../platform/errors.ts';
import { createQuery } from '../queries/queries.ts';
import { addMember } from '../users/members.ts';
import { createUser } from '../users/users.ts';
import { createVisualization, orderVisualizations, saveVisualization } from '../visualizations/visualizations.ts';
import { listOwnSources, listTakenNames } from './move.store.ts';

interface ImportOptions {
  sources: Record<string, number>;
  preview: boolean;
}

/** Checks an object against the contract of the call that creates such objects, as if a caller had sent it. */
function checked<S extends z.ZodType>(shape: S, given: unknown): z.output<S> {
  const parsed = shape.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.message ?? 'It cannot be read.');
  return parsed.data;
}

/**
 * Makes the objects of a bundle anew, each by itself: what cannot be made is reported with its reason and the others go on.
 * A name that is taken already counts as the object itself, so that a second import makes nothing twice.
 */
class Importer {
  readonly #ctx: UserCtx;
  readonly #options: ImportOptions;
  readonly #entries: MoveReport['entries'] = [];
  readonly #taken = new Map<string, number>();
  readonly #groups = new Map<number, number>();
  readonly #queries = new Map<number, number>();
  readonly #visualizations = new Map<number, number>();
  #sources: { id: number; name: string; type: string }[] = [];

  constructor(ctx: UserCtx, options: ImportOptions) {
    this.#ctx = ctx;
    this.#options = options;
  }

  async run(bundle: Bundle): Promise<MoveReport> {
    this.#sources = await listOwnSources(this.#ctx.db);
    for (const { kind, name, id } of await listTakenNames(this.#ctx.db)) this.#taken.set(`${kind} ${name}`, id);
    for (const group of bundle.groups) await this.#group(group);
    for (const user of bundle.users) await this.#user(user);
    for (const channel of bundle.channels) await this.#channel(channel);
    // Queries whose parameters take their choices from other queries are made after those queries.
    const isLater = ({ options }: MovedQuery) => JSON.stringify(options).includes('"queryId"');
    for (const query of bundle.queries.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)))) await this.#query(query);
    for (const dashboard of bundle.dashboards) await this.#dashboard(dashboard);
    for (const alert of bundle.alerts) await this.#alert(alert);
    const counts: Record<string, number> = {};
    for (const { kind, outcome } of this.#entries) counts[`${kind} ${outcome}`] = (counts[`${kind} ${outcome}`] ?? 0) + 1;
    return { preview: this.#options.preview, counts, entries: this.#entries };
  }

  /** Makes one object, or records why not. Returns its id; in a preview, the id of the original. */
  async #make(kind: string, name: string, preview: number, make: () => Promise<number>, takenBy = name): Promise<number | undefined> {
    const known = this.#taken.get(`${kind} ${takenBy}`);
    if (known !== undefined) {
      this.#entries.push({ kind, name, outcome: 'exists', id: known });
      return known;
    }
    try {
      const id = this.#options.preview ? preview : await make();
      this.#entries.push({ kind, name, outcome: 'made', ...(this.#options.preview ? {} : { id }) });
      this.#taken.set(`${kind} ${takenBy}`, id);
      return id;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) this.#ctx.log.error({ err: error, kind }, 'an object could not be imported');
      const reason = error instanceof AppError && error.status < 500 ? error.message : 'It could not be made.';
      this.#entries.push({ kind, name, outcome: 'refused', reason });
      return undefined;
    }
  }

  #note(kind: string, name: string, reason: string): void {
    this.#entries.push({ kind, name, outcome: 'changed', reason });
  }

  async #group({ id, name, type }: Bundle['groups'][number]): Promise<void> {
    if (type === 'builtin' && name === 'admin') {
      this.#entries.push({ kind: 'group', name, outcome: 'refused', reason: 'Administrators are made here by hand.' });
      return;
    }
    const made = await this.#make('group', name, id, async () => (await createGroup(this.#ctx, { name })).id);
    if (made !== undefined) this.#groups.set(id, made);
  }

  /** Users are invited without a mail: the file has no passwords. */
  async #user({ id, name, email, group_ids, is_disabled }: MovedUser): Promise<void> {
    if (is_disabled) {
      this.#entries.push({ kind: 'user', name, outcome: 'refused', reason: 'The account is disabled there.' });
      return;
    }
    const address = email.trim().toLowerCase();
    const made = await this.#make('user', name, id, async () => (await createUser(this.#ctx, { name, email: address }, true)).id, address);
    if (made === undefined || this.#options.preview) return;
    for (const groupId of group_ids) {
      const group = this.#groups.get(groupId);
      if (group !== undefined) await addMember(this.#ctx, group, made);
    }
  }

  async #channel({ devices, ...channel }: MovedChannel): Promise<void> {
    let isThere = this.#options.preview;
    await this.#make('channel', channel.channel_id, 0, async () => {
      await createChannel(this.#ctx, checked(NewChannel, channel));
      isThere = true;
      return 0;
    });
    if (!isThere || this.#options.preview) return;
    for (const device of devices) {
      await this.#make('device', `${channel.channel_id}/${device.device_id}`, 0, async () => {
        await createDevice(this.#ctx, channel.channel_id, checked(NewDevice, { ...device, dev_eui: device.dev_eui ?? undefined }));
        return 0;
      });
    }
  }

  #sourceFor({ data_source }: MovedQuery): number {
    if (!data_source) throw invalid('Its data source is gone.');
    const chosen = this.#options.sources[String(data_source.id)];
    const found = this.#sources.find(({ id, name }) => (chosen === undefined ? name === data_source.name : id === chosen));
    if (!found) throw invalid(`There is no data source "${data_source.name}" here. Make one of that name, or say which one stands for it.`);
    return found.id;
  }

  /** Parameters that take their choices from a query refer to the new copy of that query. */
  #optionsOf({ name, options }: MovedQuery): Record<string, unknown> {
    const parameters = Array.isArray(options.parameters) ? (options.parameters as Record<string, unknown>[]) : [];
    const moved = parameters.map((parameter) => {
      if (typeof parameter.queryId !== 'number') return parameter;
      const queryId = this.#queries.get(parameter.queryId);
      if (queryId === undefined)
        this.#note('query', name, `The parameter "${parameter.name}" takes its choices from a query that was not taken over.`);
      return { ...parameter, queryId: queryId ?? null };
    });
    return { ...options, parameters: moved };
  }

  async #query(query: MovedQuery): Promise<void> {
    const { id, visualizations, data_source: _, ...rest } = query;
    const made = await this.#make('query', query.name, id, async () => {
      const data_source_id = this.#sourceFor(query);
      const given = { ...rest, data_source_id, options: this.#optionsOf(query), tags: rest.tags ?? [], schedule: rest.schedule ?? null };
      const created = await createQuery(this.#ctx, checked(NewQuery, given));
      await this.#pictures(created.id, created.visualizations[0]?.id, visualizations, query.name);
      return created.id;
    });
    if (this.#options.preview) {
      const fault = this.#taken.get(`query ${query.name}`) === id ? this.#previewFault(query) : undefined;
      if (fault) this.#refuseLast(fault);
      else for (const picture of visualizations) this.#visualizations.set(picture.id, picture.id);
    }
    if (made !== undefined) this.#queries.set(id, made);
  }

  #previewFault(query: MovedQuery): string | undefined {
    try {
      this.#sourceFor(query);
      return undefined;
    } catch (error) {
      return error instanceof AppError ? error.message : 'It could not be made.';
    }
  }

  #refuseLast(reason: string): void {
    const last = this.#entries.at(-1);
    if (last) Object.assign(last, { outcome: 'refused', reason });
  }

  /** A new query already has a table: the first table of the original replaces it, in the place of the original. */
  async #pictures(queryId: number, tableId: number | undefined, pictures: MovedQuery['visualizations'], name: string): Promise<void> {
    let table = tableId;
    const made: number[] = [];
    for (const { id, ...picture } of pictures) {
      try {
        const given = { ...picture, description: picture.description ?? '' };
        if (picture.type === 'TABLE' && table !== undefined) {
          await saveVisualization(this.#ctx, table, given);
          made.push(table);
          table = undefined;
        } else {
          made.push((await createVisualization(this.#ctx, checked(NewVisualization, { ...given, query_id: queryId }))).id);
        }
        this.#visualizations.set(id, made.at(-1) as number);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.#note('visualization', `${name}: ${picture.name}`, error.message);
      }
    }
    // The table is the oldest of the copy, wherever it stands in the original.
    if (table === undefined && made.some((id, at) => id < (made[at - 1] ?? 0))) await orderVisualizations(this.#ctx, queryId, made);
  }

  async #dashboard({ id, name, widgets, tags, ...rest }: MovedDashboard): Promise<void> {
    await this.#make('dashboard', name, id, async () => {
      const made = await createDashboard(this.#ctx, checked(NewDashboard, { name }));
      await saveDashboard(this.#ctx, made.id, checked(DashboardChanges, { ...rest, tags: tags ?? [] }));
      for (const widget of widgets) await this.#widget(made.id, name, widget);
      return made.id;
    });
  }

  async #widget(dashboard_id: number, name: string, { visualization_id, ...widget }: MovedDashboard['widgets'][number]): Promise<void> {
    const picture = visualization_id == null ? null : this.#visualizations.get(visualization_id);
    if (picture === undefined) return this.#note('dashboard', name, 'A widget shows a query that was not taken over.');
    try {
      await createWidget(this.#ctx, checked(NewWidget, { ...widget, dashboard_id, visualization_id: picture, text: widget.text ?? '' }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#note('dashboard', name, `A widget could not be made: ${error.message}`);
    }
  }

  async #alert({ id, name, query_id, options, rearm }: MovedAlert): Promise<void> {
    await this.#make('alert', name, id, async () => {
      const query = query_id === null ? null : this.#queries.get(query_id);
      if (query === undefined) throw invalid('It watches a query that was not taken over.');
      return (await createAlert(this.#ctx, checked(NewAlert, { name, query_id: query, options, ...(rearm == null ? {} : { rearm }) }))).id;
    });
  }
}

export const importObjects = (ctx: UserCtx, bundle: Bundle, options: ImportOptions): Promise<MoveReport> =>
  new Importer(ctx, options).run(bundle);
