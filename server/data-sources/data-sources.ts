import { isDeepStrictEqual } from 'node:util';
import type { DataSource, DataSourceFields, DataSourceType, FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import { withKeptSecrets } from '@telltale/domain/forms/kept-secrets.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import type { Connector } from '../connectors/connector.ts';
import { isLoadable, unavailableMessage } from '../connectors/drivers.ts';
import { connectors, findConnector } from '../connectors/index.ts';
import { historyPass } from '../connectors/iot-data.ts';
import { followsViewer, sessionZoneOf } from '../connectors/session-zone.ts';
import { recordEvent } from '../events/events.ts';
import type { Source } from '../executor/protocol.ts';
import { builtInGroupId } from '../groups/groups.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { faultText } from '../platform/http/parse.ts';
import { endJobsOn } from '../platform/jobs/queue.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { builtInType } from '../policy/facts.ts';
import { may, whereMay } from '../policy/policy.ts';
import type { Principal } from '../policy/principals.ts';
import {
  type DataSourceRow,
  deleteDataSource,
  findDataSource,
  forgetSchemas,
  insertDataSource,
  linkGroup,
  listDataSourceRows,
  listSourcesById,
  lockDataSource,
  setPaused,
  updateDataSource,
} from './data-sources.store.ts';
import { requireForeignDatabase } from './own-database.ts';
import { atReplica, isKnownAtReplica, readerPass, readerUrl } from './reader.ts';

export { builtInType } from '../policy/facts.ts';
export type { DataSourceRow } from './data-sources.store.ts';

const connectorOf = (type: string): Connector => {
  const connector = findConnector(type);
  if (!connector) throw invalid(`There is no data source type ${type}.`);
  return connector;
};

export const hasDatabases = ({ type }: Pick<DataSourceRow, 'type'>): boolean => findConnector(type)?.hasDatabases ?? false;

/** Returns a source that the caller may at least view. */
export async function getDataSource(ctx: Ctx, id: number): Promise<DataSourceRow> {
  const row = await findDataSource(ctx.db, id);
  if (!row) throw notFound('Data source');
  if (!may(ctx.identity, 'view', 'data_source', row)) throw forbidden("You don't have permission to use this data source.");
  return row;
}

/** Returns a source without a permission check: for facts that a check needs, and for work that was already allowed. */
export async function getSourceRow(ctx: Ctx, id: number): Promise<DataSourceRow> {
  const row = await findDataSource(ctx.db, id);
  if (!row) throw notFound('Data source');
  return row;
}

/** Like getSourceRow, for sources that may have been deleted. */
export const findSourceRow = (ctx: Ctx, id: number): Promise<DataSourceRow | undefined> => findDataSource(ctx.db, id);

/** Reads several sources, in the given order. */
export async function findSourceRows(ctx: Ctx, ids: readonly number[]): Promise<(DataSourceRow | undefined)[]> {
  const rows = ids.length === 0 ? [] : await listSourcesById(ctx.db, ids);
  return ids.map((id) => rows.find((row) => row.id === id));
}

/** server-behaviour 18.2, for users who may see the source. */
export const pausedMessage = ({ name, pause_reason }: DataSourceRow): string =>
  `${name} is paused${pause_reason ? ` (${pause_reason})` : ''}. Please try later.`;

export function dataSourceAnswer(row: DataSourceRow, viewOnly: boolean): DataSource {
  const connector = findConnector(row.type);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    syntax: connector?.syntax ?? 'sql',
    dialect: connector?.dialect ?? 'generic',
    paused: row.paused_at ? 1 : 0,
    pause_reason: row.pause_reason,
    supports_auto_limit: connector?.supports_auto_limit ?? false,
    view_only: viewOnly,
    has_databases: hasDatabases(row),
  };
}

const isViewOnly = (ctx: UserCtx, row: DataSourceRow) => !may(ctx.user, 'save_queries', 'data_source', row);

const answerFor = (ctx: UserCtx, row: DataSourceRow) => dataSourceAnswer(row, isViewOnly(ctx, row));

const optionsOf = (ctx: Ctx, row: DataSourceRow): Record<string, unknown> =>
  JSON.parse(ctx.secrets.open(row.options_sealed)) as Record<string, unknown>;

/** The options, with dashes for secrets; none of a kind that does not exist any more, because nothing says which of them are secret. */
function shownOptions(ctx: UserCtx, row: DataSourceRow): Record<string, unknown> {
  const connector = findConnector(row.type);
  if (!connector || row.type === builtInType) return {};
  const { secret = [] } = typeSchemaOf(connector.options);
  return Object.fromEntries(Object.entries(optionsOf(ctx, row)).map(([name, value]) => [name, secret.includes(name) ? secretMask : value]));
}

function fullAnswer(ctx: UserCtx, row: DataSourceRow): FullDataSource {
  return {
    ...answerFor(ctx, row),
    options: shownOptions(ctx, row),
    queue_name: 'queries',
    scheduled_queue_name: 'scheduled_queries',
    groups: Object.fromEntries(row.groups.map(({ group_id, view_only }) => [String(group_id), view_only])),
    is_built_in: row.type === builtInType,
    created_at: row.created_at,
  };
}

export async function listDataSources(ctx: UserCtx, params: ArrayListParams) {
  const rows = await listDataSourceRows(ctx.db, whereMay(ctx.user, 'list', 'data_source'));
  return arrayOrPage(
    rows.map((row) => answerFor(ctx, row)),
    params,
    ({ name, type }) => `${name} ${type}`,
  );
}

export async function countDataSources(ctx: UserCtx): Promise<number> {
  const rows = await listDataSourceRows(ctx.db, whereMay(ctx.user, 'list', 'data_source'));
  // The built-in source always exists, so it does not count as a connected one.
  return rows.filter((row) => row.type !== builtInType).length;
}

export async function listTypes(): Promise<DataSourceType[]> {
  const offered = connectors.filter((connector) => !connector.isBuiltIn);
  const types = offered.map(async ({ name, type, syntax, options, isDeprecated, driver }) => ({
    name,
    type,
    syntax,
    configuration_schema: typeSchemaOf(options),
    ...(isDeprecated ? { deprecated: true } : {}),
    ...(driver && !(await isLoadable(driver)) ? { unavailable: unavailableMessage(driver) } : {}),
  }));
  return (await Promise.all(types)).sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

export async function readDataSource(ctx: UserCtx, id: number) {
  const row = await getDataSource(ctx, id);
  if (may(ctx.user, 'administer', 'data_source')) return fullAnswer(ctx, row);
  return may(ctx.user, 'view_list_entry', 'data_source') ? answerFor(ctx, row) : { view_only: isViewOnly(ctx, row) };
}

/** Keeps stored secrets that are sent back as dashes; unknown and null options are dropped (design 8). */
export function checkedOptions(ctx: Ctx, type: string, given: Record<string, unknown>, before?: DataSourceRow): Record<string, unknown> {
  const connector = connectorOf(type);
  if (connector.isBuiltIn) throw invalid('This type of data source is built in.');
  const meant = withoutUpstreamDefaults(connector, given);
  const merged = withKeptSecrets(connector.options, meant, before?.type === type ? optionsOf(ctx, before) : {});
  if ('error' in merged) throw invalid(merged.error);
  const { options } = merged;
  const parsed = connector.options.safeParse(options);
  if (!parsed.success) throw invalid(faultText(parsed.error));
  requireForeignDatabase(ctx, parsed.data);
  return options;
}

const withoutUpstreamDefaults = ({ upstreamDefaults }: Connector, given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !(Object.hasOwn(upstreamDefaults, name) && upstreamDefaults[name]?.includes(value))),
  );

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
    // Two saves run one after the other, so that different settings never share a version.
    await lockDataSource(tx.db, id);
    const before = await getDataSource(tx, id);
    if (before.type === builtInType) throw invalid('The built-in data source cannot be changed.');
    const checked = checkedOptions(tx, type, options, before);
    // A new name does not affect connections and stored results.
    const isElsewhere = type !== before.type || !isDeepStrictEqual(checked, optionsOf(tx, before));
    try {
      await updateDataSource(tx.db, id, { name, type, options_sealed: seal(tx, checked), isElsewhere });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '23505')
        throw invalid(`Data source with the name ${name} already exists.`);
      throw error;
    }
    // The schemas are deleted in the same transaction: a schema read with the old settings is saved before it or not at all.
    await forgetSchemas(tx.db, id);
    await recordEvent(tx, 'edit', 'datasource', id);
    return fullAnswer(tx, await getDataSource(tx, id));
  });
}

export const deletedMessage = 'The data source was deleted.';

/** Deletes a source and stops everything that runs on it: nobody could see the rows. */
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

/** The source for an executor; the version separates connections and results (`runHash`) of older settings. */
export async function executorSource(
  ctx: Ctx,
  row: DataSourceRow,
  onlyReads = false,
  channelPks: readonly number[] | null = null,
  fromPrimary = false,
): Promise<Source> {
  if (row.type === builtInType) return readerSource(ctx, row, channelPks, fromPrimary);
  const options = optionsOf(ctx, row);
  const source = { key: `${row.id}:${row.version}`, type: row.type, options };
  if (!onlyReads || options.allow_writes !== true) return source;
  return { ...source, key: `${source.key}:reads`, options: { ...options, allow_writes: false } };
}

/** Connections of readers who see other channels are other ones: what a session may see is told when it connects. */
async function readerSource(
  ctx: Ctx,
  { id, version, type }: DataSourceRow,
  channelPks: readonly number[] | null,
  fromPrimary: boolean,
): Promise<Source> {
  const { clickhouseUrl } = ctx.config;
  if (clickhouseUrl !== undefined) {
    const pass = historyPass(channelPks);
    return { key: `${id}:${version}:history:${pass}`, type, options: { url: clickhouseUrl, pass } };
  }
  const [url, pass] = [await readerUrl(ctx), await readerPass(ctx, channelPks)];
  const source = { key: `${id}:${version}:${pass}`, type, options: { url, pass } };
  const replica = fromPrimary ? undefined : await ctx.replica?.db();
  if (!ctx.replica || !replica || !(await isKnownAtReplica(replica, pass).catch(() => false))) return source;
  return { ...source, key: `${source.key}${replicaMark}`, options: { url: atReplica(url, ctx.replica.url), pass } };
}

const replicaMark = ':replica';

/** A statement that failed at the replica, and not by its own fault, is run again at the primary. */
export async function isFaultOfReplica(ctx: Ctx, source: Source, message: string): Promise<boolean> {
  if (!source.key.endsWith(replicaMark)) return false;
  return /conflict with recovery/.test(message) || !(await ctx.replica?.isWell());
}

/** The session zone for a statement on this source, in a run with this zone. */
export const sessionZone = (ctx: Ctx, row: DataSourceRow, runZone: string): string | undefined =>
  sessionZoneOf(findConnector(row.type), row.type === builtInType ? {} : optionsOf(ctx, row), runZone);

/** True when results depend on the viewer's time zone, which then is part of their cache key. */
export const followsViewerZone = (ctx: Ctx, row: DataSourceRow): boolean =>
  followsViewer(findConnector(row.type), () => optionsOf(ctx, row));

/** W17: a source that allows writes is opened read-only for users who may not write there. */
export const isReadOnlyFor = (ctx: Ctx, row: DataSourceRow, who: Principal, isAsked = false): boolean =>
  row.type !== builtInType && (isAsked || !may(who, 'write', 'data_source', row)) && optionsOf(ctx, row).allow_writes === true;
