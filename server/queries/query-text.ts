import { createHash } from 'node:crypto';
import type { Person } from '@telltale/domain/access/identity.ts';
import type { DropdownOptions } from '@telltale/domain/parameters/check.ts';
import { type QueryOptions, savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { type Substituted, substitute } from '@telltale/domain/parameters/substitute.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { applyAutoLimit } from '@telltale/domain/sql/auto-limit.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { fingerprintText } from '@telltale/domain/sql/fingerprint.ts';
import { findConnector } from '../connectors/index.ts';
import { type DataSourceRow, getSourceRow } from '../data-sources/data-sources.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';

/** W2: the key of the cache is the text itself, so two queries never share a result by accident. */
export function queryHash(text: string, dialect: Dialect, fingerprint = ''): string {
  return createHash('sha256')
    .update(`${fingerprintText(text, dialect)}\0${fingerprint}`)
    .digest('hex');
}

/** W10: results of results depend on what those may read in whose name they are asked for, so their rights are part of the key. */
export const accessFingerprint = (askers: readonly Person[]): string =>
  askers.length === 0 ? '' : JSON.stringify(askers.map(({ group_ids, permissions }) => [...group_ids, ...permissions].sort()).sort());

/** The same text means something else in another database of its source; kinds without several have only one. */
export const databaseFor = (type: string, database: string | null | undefined): string | null =>
  (findConnector(type)?.hasDatabases && database) || null;
export const databaseFingerprint = (database: string | null): string => (database === null ? '' : `\0${database}`);

/**
 * What the cache and shared runs go by: the text, its database, the rights that its outcome depends on, and the settings of the source,
 * because with other ones it is another place.
 */
export function runHash(source: Pick<DataSourceRow, 'type' | 'version'>, text: string, database: string | null, access = ''): string {
  const dialect = findConnector(source.type)?.dialect ?? 'generic';
  return queryHash(text, dialect, `${access}${databaseFingerprint(database)}\0settings ${source.version}`);
}

export interface TextInput {
  query: string;
  options: QueryOptions;
  values: Record<string, unknown>;
  type: string;
  applyAutoLimit: boolean;
  undeclared: 'refuse' | 'text';
  /** Choices of query-driven parameters. */
  dropdowns: DropdownOptions;
  /** Of whoever looks at it; without one the organisation's. */
  timeZone?: string | undefined;
}

/** Final text: values bound, dynamic dates resolved, limit applied where the kind can take one. */
export async function finalText(
  ctx: Ctx,
  { query, options, values, type, applyAutoLimit: isLimited, undeclared, dropdowns, timeZone: viewerZone }: TextInput,
): Promise<Substituted> {
  const connector = findConnector(type);
  const dialect = connector?.dialect ?? 'generic';
  const isPlain = options.parameters.length === 0 && Object.keys(values).length === 0;
  const timeZone = viewerZone ?? (isPlain ? 'UTC' : (await getSettings(ctx)).time_zone);
  const language = connector?.syntax === 'sql' ? dialect : 'plain';
  const bound = substitute(query, language, options.parameters, values, { now: ctx.now, timeZone, undeclared, dropdowns });
  if (!('sql' in bound) || !isLimited || !connector?.supports_auto_limit) return bound;
  return { sql: applyAutoLimit(bound.sql, dialect) };
}

export const savedValues = (options: QueryOptions): Record<string, unknown> =>
  Object.fromEntries(options.parameters.map((parameter) => [parameter.name, savedValueOf(parameter)]));

/** server-behaviour 8.2: the text with the saved values, or as it is written when those do not fit. */
export async function savedHash(
  ctx: Ctx,
  { query, data_source_id, options }: { query: string; data_source_id: number | null; options?: QueryOptions | undefined },
): Promise<string> {
  if (data_source_id === null) return queryHash(query, 'generic');
  const source = await getSourceRow(ctx, data_source_id);
  const { type } = source;
  const given = options ?? { parameters: [] };
  const text = await finalText(ctx, {
    query,
    options: given,
    values: savedValues(given),
    type,
    applyAutoLimit: given.apply_auto_limit ?? false,
    undeclared: 'refuse',
    dropdowns: 'unchecked',
  });
  return runHash(source, 'sql' in text ? text.sql : query, databaseFor(type, databaseOf(given)));
}
