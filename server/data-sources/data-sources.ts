import { isDeepStrictEqual } from 'node:util';
import type { Identity } from '@telltale/domain/access/identity.ts';
import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { type SourceAccess, sourceAccess } from '@telltale/domain/access/source-access.ts';
import type { DataSource, DataSourceFields, DataSourceType, FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import type { Connector } from '../connectors/connector.ts';
import { connectors, findConnector } from '../connectors/index.ts';
import { recordEvent } from '../events/events.ts';
import type { Source } from '../executor/protocol.ts';
import { builtInGroupId } from '../groups/groups.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { faultText } from '../platform/http/parse.ts';
import { endJobsOn } from '../platform/jobs/queue.ts';
import { arrayOrPage } from '../platform/lists.ts';
import {
  type DataSourceRow,
  deleteDataSource,
  findDataSource,
  forgetSchemas,
  insertDataSource,
  linkGroup,
  listDataSourceRows,
  lockDataSource,
  setPaused,
  updateDataSource,
} from './data-sources.store.ts';
import { requireForeignDatabase } from './own-database.ts';
import { readerUrl } from './reader.ts';

export type { DataSourceRow } from './data-sources.store.ts';

export const builtInType = 'telltale';

/** design 8: running on IoT data needs `view_channel` as well as access to the source. */
export function accessTo(row: Pick<DataSourceRow, 'type' | 'groups'>, who: Identity): SourceAccess {
  if (row.type === builtInType && !hasPermission(who.permissions, 'view_channel')) return 'none';
  return sourceAccess(row.groups, who);
}

/** Q5: whoever may send any text to a source may also fill in free text. */
export const mayRunAnything = (row: Pick<DataSourceRow, 'type' | 'groups'>, who: Identity): boolean =>
  accessTo(row, who) === 'full' && hasPermission(who.permissions, 'execute_query');

const connectorOf = (type: string): Connector => {
  const connector = findConnector(type);
  if (!connector) throw invalid(`There is no data source type ${type}.`);
  return connector;
};

export const hasDatabases = ({ type }: Pick<DataSourceRow, 'type'>): boolean => findConnector(type)?.hasDatabases ?? false;

/** Exists for whoever may at least view it; for others it does not. */
export async function getDataSource(ctx: Ctx, id: number): Promise<DataSourceRow> {
  const row = await findDataSource(ctx.db, id);
  if (!row) throw notFound('Data source');
  if (accessTo(row, ctx.identity) === 'none') throw forbidden("You don't have permission to use this data source.");
  return row;
}

/** Whoever asks for it: for what is decided by accessTo() afterwards, and for work that was allowed before. */
export async function getSourceRow(ctx: Ctx, id: number): Promise<DataSourceRow> {
  const row = await findDataSource(ctx.db, id);
  if (!row) throw notFound('Data source');
  return row;
}

/** The same, for what may be gone by now. */
export const findSourceRow = (ctx: Ctx, id: number): Promise<DataSourceRow | undefined> => findDataSource(ctx.db, id);

/** server-behaviour 18.2, for people who may see it. */
export const pausedMessage = ({ name, pause_reason }: DataSourceRow): string =>
  `${name} is paused${pause_reason ? ` (${pause_reason})` : ''}. Please try later.`;

export function dataSourceAnswer(row: DataSourceRow, viewOnly: boolean): DataSource {
  const connector = findConnector(row.type);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    syntax: connector?.syntax ?? 'sql',
    paused: row.paused_at ? 1 : 0,
    pause_reason: row.pause_reason,
    supports_auto_limit: connector?.supports_auto_limit ?? false,
    view_only: viewOnly,
    has_databases: hasDatabases(row),
  };
}

const answerFor = (ctx: UserCtx, row: DataSourceRow) => dataSourceAnswer(row, accessTo(row, ctx.user) !== 'full');

export const optionsOf = (ctx: Ctx, row: DataSourceRow): Record<string, unknown> =>
  JSON.parse(ctx.secrets.open(row.options_sealed)) as Record<string, unknown>;

function fullAnswer(ctx: UserCtx, row: DataSourceRow): FullDataSource {
  const { secret = [] } = typeSchemaOf(connectorOf(row.type).options);
  const shown = Object.entries(optionsOf(ctx, row)).map(([name, value]) => [name, secret.includes(name) ? secretMask : value]);
  return {
    ...answerFor(ctx, row),
    options: row.type === builtInType ? {} : Object.fromEntries(shown),
    queue_name: 'queries',
    scheduled_queue_name: 'scheduled_queries',
    groups: Object.fromEntries(row.groups.map(({ group_id, view_only }) => [String(group_id), view_only])),
    is_built_in: row.type === builtInType,
    created_at: row.created_at,
  };
}

export async function listDataSources(ctx: UserCtx, params: ArrayListParams) {
  const rows = await listDataSourceRows(ctx.db);
  const seen = rows.filter((row) => accessTo(row, ctx.user) !== 'none').map((row) => answerFor(ctx, row));
  return arrayOrPage(seen, params, ({ name, type }) => `${name} ${type}`);
}

export async function countDataSources(ctx: UserCtx): Promise<number> {
  const rows = await listDataSourceRows(ctx.db);
  // The built-in one is always there, so it says nothing about whether somebody connected one.
  return rows.filter((row) => row.type !== builtInType && accessTo(row, ctx.user) !== 'none').length;
}

export async function reachableSourceIds(ctx: UserCtx): Promise<number[]> {
  const rows = await listDataSourceRows(ctx.db);
  return rows.filter((row) => accessTo(row, ctx.user) !== 'none').map((row) => row.id);
}

export const listTypes = (): DataSourceType[] =>
  connectors
    .filter((connector) => !connector.isBuiltIn)
    .map(({ name, type, syntax, options, isDeprecated }) => ({
      name,
      type,
      syntax,
      configuration_schema: typeSchemaOf(options),
      ...(isDeprecated ? { deprecated: true } : {}),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

export async function readDataSource(ctx: UserCtx, id: number) {
  const row = await getDataSource(ctx, id);
  if (hasPermission(ctx.user.permissions, 'admin')) return fullAnswer(ctx, row);
  return hasPermission(ctx.user.permissions, 'list_data_sources') ? answerFor(ctx, row) : { view_only: accessTo(row, ctx.user) !== 'full' };
}

/** A kept secret comes back as dashes; unknown options and null ones are not kept (design 8). */
export function checkedOptions(ctx: Ctx, type: string, given: Record<string, unknown>, before?: DataSourceRow): Record<string, unknown> {
  const connector = connectorOf(type);
  if (connector.isBuiltIn) throw invalid('This type of data source is built in.');
  const { secret = [] } = typeSchemaOf(connector.options);
  const stored = before && before.type === type ? optionsOf(ctx, before) : {};
  const merged = Object.entries(given)
    .map(([name, value]) => [name, value === secretMask && secret.includes(name) ? stored[name] : value] as const)
    .filter(([, value]) => value !== null && value !== undefined && value !== '');
  const options = Object.fromEntries(merged);
  const parsed = connector.options.safeParse(options);
  if (!parsed.success) throw invalid(faultText(parsed.error));
  requireForeignDatabase(ctx, parsed.data);
  return options;
}

const seal = (ctx: Ctx, options: Record<string, unknown>) => ctx.secrets.seal(JSON.stringify(options));

export async function createDataSource(ctx: UserCtx, { name, type, options }: DataSourceFields): Promise<FullDataSource> {
  const options_sealed = seal(ctx, checkedOptions(ctx, type, options));
  return ctx.transaction(async (tx) => {
    const id = await insertDataSource(tx.db, { org_id: tx.user.org_id, name, type, options_sealed });
    if (!id) throw invalid(`Data source with the name ${name} already exists.`);
    await linkGroup(tx.db, id, await builtInGroupId(tx.db, 'default'), false);
    await recordEvent(tx, 'create', 'datasource', id);
    return fullAnswer(tx, await getDataSource(tx, id));
  });
}

export async function saveDataSource(ctx: UserCtx, id: number, { name, type, options }: DataSourceFields): Promise<FullDataSource> {
  return ctx.transaction(async (tx) => {
    // Of two who save at once the second one changes what the first one saved: no other settings come under the same version.
    await lockDataSource(tx.db, id);
    const before = await getDataSource(tx, id);
    if (before.type === builtInType) throw invalid('The built-in data source cannot be changed.');
    const checked = checkedOptions(tx, type, options, before);
    // Another name leaves connections and stored results as they are.
    const isElsewhere = type !== before.type || !isDeepStrictEqual(checked, optionsOf(tx, before));
    try {
      await updateDataSource(tx.db, id, { name, type, options_sealed: seal(tx, checked), isElsewhere });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '23505')
        throw invalid(`Data source with the name ${name} already exists.`);
      throw error;
    }
    // In the same transaction: a schema read with the old settings is saved before this, and goes, or not at all.
    await forgetSchemas(tx.db, id);
    await recordEvent(tx, 'edit', 'datasource', id);
    return fullAnswer(tx, await getDataSource(tx, id));
  });
}

export const deletedMessage = 'The data source was deleted.';

/** What runs on it stops, there and here: nobody could see its rows. */
export async function removeDataSource(ctx: UserCtx, id: number): Promise<null> {
  const row = await getDataSource(ctx, id);
  if (row.type === builtInType) throw invalid('The built-in data source cannot be deleted.');
  return ctx.transaction(async (tx) => {
    await endJobsOn(tx.db, { data_source_id: id }, deletedMessage);
    await deleteDataSource(tx.db, id);
    await recordEvent(tx, 'delete', 'datasource', id);
    return null;
  });
}

export async function pauseDataSource(ctx: UserCtx, id: number, isPaused: boolean, reason: string | null): Promise<DataSource> {
  await getDataSource(ctx, id);
  await setPaused(ctx.db, id, isPaused, isPaused ? reason : null);
  await recordEvent(ctx, isPaused ? 'pause' : 'resume', 'datasource', id);
  return answerFor(ctx, await getDataSource(ctx, id));
}

/** What an executor needs to open it; the version keeps connections of older settings apart, and results too (`runHash`). */
export async function executorSource(ctx: Ctx, row: DataSourceRow, onlyReads = false): Promise<Source> {
  const options: Record<string, unknown> = row.type === builtInType ? { url: await readerUrl(ctx) } : optionsOf(ctx, row);
  const source = { key: `${row.id}:${row.version}`, type: row.type, options };
  if (!onlyReads || options.allow_writes !== true) return source;
  return { ...source, key: `${source.key}:reads`, options: { ...options, allow_writes: false } };
}

/** W17: a source on which writes are allowed is read only by whoever may not send it any text. */
export const mustOnlyRead = (ctx: Ctx, row: DataSourceRow, people: readonly Identity[]): boolean =>
  row.type !== builtInType && !people.every((who) => mayRunAnything(row, who)) && optionsOf(ctx, row).allow_writes === true;
