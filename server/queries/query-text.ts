import { createHash } from 'node:crypto';
import type { Person } from '@telltale/domain/access/identity.ts';
import { weekStartDays } from '@telltale/domain/organization/settings.ts';
import type { DropdownOptions } from '@telltale/domain/parameters/check.ts';
import { type QueryOptions, savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { namesWeek } from '@telltale/domain/parameters/dynamic-dates.ts';
import { mostPlaceholders, tooManyPlaceholders } from '@telltale/domain/parameters/limits.ts';
import { measurePlaceholders } from '@telltale/domain/parameters/placeholders.ts';
import { type Substituted, substituting } from '@telltale/domain/parameters/substitute.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { applyingAutoLimit } from '@telltale/domain/sql/auto-limit.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { fingerprintText } from '@telltale/domain/sql/fingerprint.ts';
import { findConnector } from '../connectors/index.ts';
import { type DataSourceRow, followsViewerZone, getSourceRow } from '../data-sources/data-sources.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { inSteps } from '../platform/in-steps.ts';

/** W2: the key of the cache is the text itself, so two queries never share a result by accident. */
export function queryHash(text: string, dialect: Dialect, fingerprint = ''): string {
  return createHash('sha256')
    .update(`${fingerprintText(text, dialect)}\0${fingerprint}`)
    .digest('hex');
}

/** W10: joined results depend on what the users in whose name they are requested may read, so those users' rights are part of the key. */
export const accessFingerprint = (readers: readonly Person[]): string =>
  readers.length === 0
    ? ''
    : JSON.stringify(
        readers
          .map(({ group_ids, permissions, channel_pks }) => [...group_ids, ...permissions, `channels ${channel_pks ?? 'all'}`].sort())
          .sort(),
      );

/** The same text means something else in another database of its source; null for kinds with a single database. */
export const databaseFor = (type: string, database: string | null | undefined): string | null =>
  (findConnector(type)?.hasDatabases && database) || null;
export const databaseFingerprint = (database: string | null): string => (database === null ? '' : `\0${database}`);

interface RunText {
  text: string;
  database: string | null;
  zone: string;
  access?: string;
  /** With IoT data: the channels that the caller sees; null is all. */
  channel_pks?: readonly number[] | null;
}

/**
 * The key of the cache and of shared runs: the text, its database, the rights and the time zone that its outcome depends on, and the
 * version of the source's settings, because other settings may mean another database.
 */
export function runHash(ctx: Ctx, source: DataSourceRow, { text, database, zone, access = '', channel_pks = null }: RunText): string {
  const dialect = findConnector(source.type)?.dialect ?? 'generic';
  const ofZone = followsViewerZone(ctx, source) ? `\0zone ${zone}` : '';
  const ofChannels = channel_pks === null ? '' : `\0channels ${channel_pks.toSorted((a, b) => a - b).join(',')}`;
  return queryHash(text, dialect, `${access}${databaseFingerprint(database)}${ofZone}${ofChannels}\0settings ${source.version}`);
}

/** The time zone of a run: the viewer's where one was sent, otherwise the organisation's (design 8). */
export const runZone = async (ctx: Ctx, viewerZone: string | null | undefined): Promise<string> =>
  viewerZone ?? (await getSettings(ctx)).time_zone;

/** The organisation's first day of the week; settings are read only for values that depend on it. */
const weekStartFor = async (ctx: Pick<Ctx, 'db'>, values: Readonly<Record<string, unknown>>): Promise<number> =>
  namesWeek(values) ? weekStartDays[(await getSettings(ctx)).week_start] : 0;

export interface TextInput {
  query: string;
  options: QueryOptions;
  values: Record<string, unknown>;
  type: string;
  applyAutoLimit: boolean;
  undeclared: 'refuse' | 'text';
  /** Choices of query-driven parameters. */
  dropdowns: DropdownOptions;
  /** The time zone for dynamic dates (`runZone`). */
  timeZone: string;
}

/** Final text: values bound, dynamic dates resolved, limit applied where the kind can take one. */
export async function finalText(
  ctx: Ctx,
  { query, options, values, type, applyAutoLimit: isLimited, undeclared, dropdowns, timeZone }: TextInput,
): Promise<Substituted> {
  const connector = findConnector(type);
  const dialect = connector?.dialect ?? 'generic';
  const language = connector?.syntax === 'sql' ? dialect : 'plain';
  const longest = ctx.config.limits.queryLength;
  const given = { now: ctx.now, timeZone, weekStart: await weekStartFor(ctx, values), undeclared, dropdowns, longest };
  const bound = await inSteps(query.length, () => substituting(query, language, options.parameters, values, given));
  if (!('sql' in bound) || !isLimited || !connector?.supports_auto_limit) return bound;
  return { sql: await inSteps(bound.sql.length, () => applyingAutoLimit(bound.sql, dialect)) };
}

export const savedValues = (options: QueryOptions): Record<string, unknown> =>
  Object.fromEntries(options.parameters.map((parameter) => [parameter.name, savedValueOf(parameter)]));

interface SavedText extends Pick<RunText, 'channel_pks'> {
  query: string;
  data_source_id: number | null;
  options?: QueryOptions | undefined;
}

/** server-behaviour 8.2: the hash of the text with the saved values, or of the written text when those do not fit. */
export async function savedHash(ctx: Ctx, { query, data_source_id, options, channel_pks }: SavedText): Promise<string> {
  if (data_source_id === null) return queryHash(query, 'generic');
  const source = await getSourceRow(ctx, data_source_id);
  const { type } = source;
  const given = options ?? { parameters: [] };
  const zone = await runZone(ctx, null);
  const text = await finalText(ctx, {
    query,
    options: given,
    timeZone: zone,
    values: savedValues(given),
    type,
    applyAutoLimit: given.apply_auto_limit ?? false,
    undeclared: 'refuse',
    dropdowns: 'unchecked',
  });
  const database = databaseFor(type, databaseOf(given));
  return runHash(ctx, source, { text: 'sql' in text ? text.sql : query, database, zone, channel_pks: channel_pks ?? null });
}

/** A saved text is analysed whenever it is opened or listed, so it must be one that could run. */
export function requireFewPlaceholders(query: string): void {
  const { count } = measurePlaceholders(query);
  if (count > mostPlaceholders) throw invalid(tooManyPlaceholders(count));
}
