import { NewAlert } from '@telltale/domain/alerts/contract.ts';
import { DashboardChanges, NewDashboard } from '@telltale/domain/dashboards/contract.ts';
import { NewWidget } from '@telltale/domain/dashboards/widget.ts';
import type { Bundle, MovedAlert, MovedDashboard, MovedQuery, MovedUser, MoveReport } from '@telltale/domain/move/contract.ts';
import { NewQuery } from '@telltale/domain/queries/contract.ts';
import { NewVisualization } from '@telltale/domain/visualizations/contract.ts';
import { createAlert } from '../alerts/alerts.ts';
import { createDashboard, saveDashboard } from '../dashboards/dashboards.ts';
import { createWidget } from '../dashboards/widgets.ts';
import type { DecoderPool } from '../decoders/engine/pool.ts';
import { createGroup } from '../groups/groups.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError, invalid } from '../platform/errors.ts';
import { createQuery } from '../queries/queries.ts';
import { addMember } from '../users/members.ts';
import { createUser } from '../users/users.ts';
import { createVisualization, orderVisualizations, saveVisualization } from '../visualizations/visualizations.ts';
import { checked } from './checked.ts';
import { ChannelImporter } from './import-channels.ts';
import { CommandImporter } from './import-commands.ts';
import { listOwnSources } from './move.store.ts';
import { ReportBuilder } from './report-builder.ts';

interface ImportOptions {
  sources: Record<string, number>;
  preview: boolean;
  /** Runs the decoders of channels; not needed where a bundle has no channels. */
  decoders?: DecoderPool;
}

/** Makes the objects of a bundle anew. */
class Importer {
  readonly #ctx: UserCtx;
  readonly #options: ImportOptions;
  readonly #report: ReportBuilder;
  readonly #groups = new Map<number, number>();
  readonly #queries = new Map<number, number>();
  readonly #visualizations = new Map<number, number>();
  #sources: { id: number; name: string; type: string }[] = [];

  constructor(ctx: UserCtx, options: ImportOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#report = new ReportBuilder(ctx, options.preview);
  }

  async run(bundle: Bundle): Promise<MoveReport> {
    const { decoders } = this.#options;
    this.#sources = await listOwnSources(this.#ctx.db);
    await this.#report.readTaken();
    for (const group of bundle.groups) await this.#group(group);
    for (const user of bundle.users) await this.#user(user);
    if (decoders) await new ChannelImporter(this.#ctx, this.#report, decoders).run(bundle.channels);
    // Queries whose parameters take their choices from other queries are made after those queries.
    const isLater = ({ options }: MovedQuery) => JSON.stringify(options).includes('"queryId"');
    for (const query of bundle.queries.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)))) await this.#query(query);
    for (const dashboard of bundle.dashboards) await this.#dashboard(dashboard);
    for (const alert of bundle.alerts) await this.#alert(alert);
    await new CommandImporter(this.#ctx, this.#report).run(bundle.commands);
    return this.#report.done();
  }

  async #group({ id, name, type }: Bundle['groups'][number]): Promise<void> {
    if (type === 'builtin' && name === 'admin') {
      this.#report.refuse('group', name, 'Administrators are made here by hand.');
      return;
    }
    const made = await this.#report.make('group', name, id, async () => (await createGroup(this.#ctx, { name })).id);
    if (made) this.#groups.set(id, made.id);
  }

  /** Users are invited without a mail: the file has no passwords. */
  async #user({ id, name, email, group_ids, is_disabled }: MovedUser): Promise<void> {
    if (is_disabled) {
      this.#report.refuse('user', name, 'The account is disabled there.');
      return;
    }
    const address = email.trim().toLowerCase();
    const make = async () => (await createUser(this.#ctx, { name, email: address }, true)).id;
    const made = await this.#report.make('user', name, id, make, address);
    if (!made || this.#options.preview) return;
    for (const groupId of group_ids) {
      const group = this.#groups.get(groupId);
      if (group !== undefined) await addMember(this.#ctx, group, made.id);
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
        this.#report.note('query', name, `The parameter "${parameter.name}" takes its choices from a query that was not taken over.`);
      return { ...parameter, queryId: queryId ?? null };
    });
    return { ...options, parameters: moved };
  }

  async #query(query: MovedQuery): Promise<void> {
    const { id, visualizations, data_source: _, ...rest } = query;
    const made = await this.#report.make('query', query.name, id, async () => {
      const data_source_id = this.#sourceFor(query);
      const given = { ...rest, data_source_id, options: this.#optionsOf(query), tags: rest.tags ?? [], schedule: rest.schedule ?? null };
      const created = await createQuery(this.#ctx, checked(NewQuery, given));
      await this.#pictures(created.id, created.visualizations[0]?.id, visualizations, query.name);
      return created.id;
    });
    if (this.#options.preview) {
      const fault = made?.isNew ? this.#previewFault(query) : undefined;
      if (fault) this.#report.refuseLast(fault);
      else for (const picture of visualizations) this.#visualizations.set(picture.id, picture.id);
    }
    if (made) this.#queries.set(id, made.id);
  }

  #previewFault(query: MovedQuery): string | undefined {
    try {
      this.#sourceFor(query);
      return undefined;
    } catch (error) {
      return error instanceof AppError ? error.message : 'It could not be made.';
    }
  }

  /** A new query already has a table: the first table of the original replaces it, in the place of the original. */
  async #pictures(queryId: number, tableId: number | undefined, pictures: MovedQuery['visualizations'], name: string): Promise<void> {
    let table = tableId;
    const made: number[] = [];
    for (const { id, ...picture } of pictures) {
      await this.#report.takePart('visualization', `${name}: ${picture.name}`, async () => {
        const given = { ...picture, description: picture.description ?? '' };
        if (picture.type === 'TABLE' && table !== undefined) {
          await saveVisualization(this.#ctx, table, given);
          made.push(table);
          table = undefined;
        } else {
          made.push((await createVisualization(this.#ctx, checked(NewVisualization, { ...given, query_id: queryId }))).id);
        }
        this.#visualizations.set(id, made.at(-1) as number);
      });
    }
    // The table is the oldest of the copy, wherever it stands in the original.
    if (table === undefined && made.some((id, at) => id < (made[at - 1] ?? 0))) await orderVisualizations(this.#ctx, queryId, made);
  }

  async #dashboard({ id, name, widgets, tags, ...rest }: MovedDashboard): Promise<void> {
    await this.#report.make('dashboard', name, id, async () => {
      const made = await createDashboard(this.#ctx, checked(NewDashboard, { name }));
      await saveDashboard(this.#ctx, made.id, checked(DashboardChanges, { ...rest, tags: tags ?? [] }));
      for (const widget of widgets) await this.#widget(made.id, name, widget);
      return made.id;
    });
  }

  async #widget(dashboard_id: number, name: string, { visualization_id, ...widget }: MovedDashboard['widgets'][number]): Promise<void> {
    const picture = visualization_id == null ? null : this.#visualizations.get(visualization_id);
    if (picture === undefined) return this.#report.note('dashboard', name, 'A widget shows a query that was not taken over.');
    const given = { ...widget, dashboard_id, visualization_id: picture, text: widget.text ?? '' };
    await this.#report.takePart(
      'dashboard',
      name,
      async () => void (await createWidget(this.#ctx, checked(NewWidget, given))),
      (reason) => `A widget could not be made: ${reason}`,
    );
  }

  async #alert({ id, name, query_id, options, rearm }: MovedAlert): Promise<void> {
    await this.#report.make('alert', name, id, async () => {
      const query = query_id === null ? null : this.#queries.get(query_id);
      if (query === undefined) throw invalid('It watches a query that was not taken over.');
      return (await createAlert(this.#ctx, checked(NewAlert, { name, query_id: query, options, ...(rearm == null ? {} : { rearm }) }))).id;
    });
  }
}

export const importObjects = (ctx: UserCtx, bundle: Bundle, options: ImportOptions): Promise<MoveReport> =>
  new Importer(ctx, options).run(bundle);
