import type { Destination, DestinationFields, DestinationType, FullDestination } from '@telltale/domain/destinations/contract.ts';
import { typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import { type PlaceOf, withKeptSecrets } from '@telltale/domain/forms/kept-secrets.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import { recordEvent } from '../events/events.ts';
import { findNotifier, notifiers } from '../notifiers/index.ts';
import type { Notifier } from '../notifiers/notifier.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { faultText } from '../platform/http/parse.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { giveUpOnDestination } from './deliveries.store.ts';
import {
  type DestinationRow,
  deleteDestination,
  findDestinationRow,
  insertDestination,
  listDestinationRows,
  lockDestination,
  updateDestination,
} from './destinations.store.ts';

function notifierOf(type: string): Notifier {
  const notifier = findNotifier(type);
  if (!notifier) throw invalid(`There is no destination type ${type}.`);
  return notifier;
}

const answer = ({ id, name, type }: DestinationRow): Destination => ({ id, name, type, icon: findNotifier(type)?.icon ?? 'fa-bolt' });

export const optionsOf = (ctx: Ctx, row: Pick<DestinationRow, 'options_sealed'>): Record<string, unknown> =>
  JSON.parse(ctx.secrets.open(row.options_sealed)) as Record<string, unknown>;

const secretsOf = (notifier: Notifier): readonly string[] => typeSchemaOf(notifier.options).secret ?? [];

function fullAnswer(ctx: Ctx, row: DestinationRow): FullDestination {
  const notifier = findNotifier(row.type);
  const secrets = notifier ? secretsOf(notifier) : undefined;
  const shown = Object.entries(optionsOf(ctx, row)).map(([name, value]) => [name, secrets?.includes(name) === false ? value : secretMask]);
  return { ...answer(row), options: Object.fromEntries(shown), created_at: row.created_at, updated_at: row.updated_at };
}

/** Server-behaviour 15.1: all users see the destinations, so that they can subscribe them. */
export async function listDestinations(ctx: UserCtx, params: ArrayListParams) {
  return arrayOrPage((await listDestinationRows(ctx.db)).map(answer), params, ({ name, type }) => `${name} ${type}`);
}

export const listTypes = (): DestinationType[] =>
  notifiers
    .map(({ name, type, icon, options, isDeprecated }) => ({
      name,
      type,
      icon,
      configuration_schema: typeSchemaOf(options),
      ...(isDeprecated ? { deprecated: true } : {}),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

export async function getDestinationRow(ctx: Ctx, id: number): Promise<DestinationRow> {
  const row = await findDestinationRow(ctx.db, id);
  if (!row) throw notFound('Destination');
  return row;
}

export const findDestination = (ctx: Ctx, id: number): Promise<DestinationRow | undefined> => findDestinationRow(ctx.db, id);

/** Reads the destinations by id in one query, as other lists show them. */
export async function findDestinationsById(ctx: Ctx): Promise<Map<number, Destination>> {
  return new Map((await listDestinationRows(ctx.db)).map((row) => [row.id, answer(row)]));
}

export const readDestination = async (ctx: UserCtx, id: number): Promise<FullDestination> =>
  fullAnswer(ctx, await getDestinationRow(ctx, id));

/**
 * Keeps stored secrets that are sent back as dashes, but only for the address they were saved for. Unknown options are refused, null ones
 * are dropped (design 8).
 */
export function checkedOptions(
  ctx: Ctx,
  type: string,
  given: Record<string, unknown>,
  before: DestinationRow | undefined,
): Record<string, unknown> {
  const notifier = notifierOf(type);
  const stored = before?.type === type ? optionsOf(ctx, before) : {};
  // Invalid options are refused below with their own message.
  const placeOf: PlaceOf = (_, options) => notifier.addressOf(notifier.options.safeParse(options).success ? options : stored);
  const merged = withKeptSecrets(notifier.options, given, stored, placeOf);
  if ('error' in merged) throw invalid(merged.error);
  const { options } = merged;
  const parsed = notifier.options.safeParse(options);
  if (!parsed.success) throw invalid(faultText(parsed.error));
  const fault = notifier.faultOf(options);
  if (fault) throw invalid(fault);
  return options;
}

const nameTaken = (name: string) => invalid(`Alert Destination with the name ${name} already exists.`);
const seal = (ctx: Ctx, options: Record<string, unknown>) => ctx.secrets.seal(JSON.stringify(options));

export async function createDestination(ctx: UserCtx, { name, type, options }: DestinationFields): Promise<FullDestination> {
  const options_sealed = seal(ctx, checkedOptions(ctx, type, options, undefined));
  return ctx.transaction(async (tx) => {
    const id = await insertDestination(tx.db, { org_id: tx.user.org_id, user_id: tx.user.id }, { name, type, options_sealed });
    if (!id) throw nameTaken(name);
    await recordEvent(tx, 'create', 'destination', id);
    return readDestination(tx, id);
  });
}

export const saveDestination = (ctx: UserCtx, id: number, { name, type, options }: DestinationFields): Promise<FullDestination> =>
  ctx.transaction(async (tx) => {
    await lockDestination(tx.db, id);
    const before = await getDestinationRow(tx, id);
    const options_sealed = seal(tx, checkedOptions(tx, type, options, before));
    if (!(await updateDestination(tx.db, id, { name, type, options_sealed }))) throw nameTaken(name);
    await recordEvent(tx, 'edit', 'destination', id);
    return readDestination(tx, id);
  });

/** Deletes a destination with its subscriptions, and cancels its waiting notices (W31). */
export const removeDestination = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getDestinationRow(tx, id);
    await giveUpOnDestination(tx.db, id);
    await deleteDestination(tx.db, id);
    await recordEvent(tx, 'delete', 'destination', id);
    return null;
  });
