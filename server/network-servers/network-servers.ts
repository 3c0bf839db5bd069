import { isDeepStrictEqual } from 'node:util';
import { typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import { type PlaceOf, withKeptSecrets } from '@telltale/domain/forms/kept-secrets.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import { airtimeMs, perHourAtOnePercent } from '@telltale/domain/lorawan/airtime.ts';
import type {
  Airtime,
  AirtimeQuestion,
  Network,
  NetworkChanges,
  NetworkFields,
  NetworkKindEntry,
  NetworkName,
} from '@telltale/domain/networks/contract.ts';
import type { ZodType } from 'zod';
import { recordEvent } from '../events/events.ts';
import { addressMessage, readBrokerAddress } from '../networks/address.ts';
import { findNetworkKind, networks } from '../networks/index.ts';
import type { NetworkKind } from '../networks/network.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { faultText } from '../platform/http/parse.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { randomKey, type Secrets } from '../platform/secrets.ts';
import {
  deleteNetwork,
  findNetworkRow,
  forgetState,
  insertNetwork,
  listBindings,
  listNetworkNames,
  listNetworkRows,
  lockNetwork,
  type NetworkRow,
  setWebhookSecret,
  updateNetwork,
} from './network-servers.store.ts';

export type Options = Record<string, unknown>;

export const optionsOf = (secrets: Secrets, { options_sealed }: Pick<NetworkRow, 'options_sealed'>): Options =>
  JSON.parse(secrets.open(options_sealed)) as Options;

export function kindOf(type: string): NetworkKind {
  const kind = findNetworkKind(type);
  if (!kind) throw invalid(`There is no network type ${type}.`);
  return kind;
}

export async function getNetworkRow(ctx: Ctx, id: number): Promise<NetworkRow> {
  const row = await findNetworkRow(ctx.db, id);
  if (!row) throw notFound('Network');
  return row;
}

function answer(ctx: UserCtx, row: NetworkRow): Network {
  const { secret = [] } = typeSchemaOf(kindOf(row.type).options);
  const shown = Object.entries(optionsOf(ctx.secrets, row)).map(([name, value]) => [name, secret.includes(name) ? secretMask : value]);
  const { id, name, type, state, last_error, last_message_at, is_disabled, channels, created_at } = row;
  return {
    ...{ id, name, type, state, last_error, last_message_at, is_disabled, channels, created_at },
    options: Object.fromEntries(shown),
    webhook_url: `${ctx.config.publicUrl?.replace(/\/$/, '') ?? ctx.request.origin}/api/networks/${id}/webhook`,
    webhook_secret: ctx.secrets.open(row.webhook_secret_sealed),
  };
}

export const listKinds = (): NetworkKindEntry[] =>
  networks.map(({ name, type, options, webhook }) => ({
    name,
    type,
    configuration_schema: typeSchemaOf(options),
    webhook_hint: webhook?.hint ?? null,
  }));

export const listNames = (ctx: UserCtx): Promise<NetworkName[]> => listNetworkNames(ctx.db);

export async function listNetworks(ctx: UserCtx, params: ArrayListParams) {
  const rows = (await listNetworkRows(ctx.db)).map((row) => answer(ctx, row));
  return arrayOrPage(rows, params, ({ name, type }) => `${name} ${type}`);
}

export const getNetwork = async (ctx: UserCtx, id: number): Promise<Network> => answer(ctx, await getNetworkRow(ctx, id));

/**
 * The options to save. A secret that comes back as dashes is kept, but only for the address it was saved for: a user who may change the
 * address must not receive the secret at another one.
 */
export function checkedOptions(ctx: Ctx, type: string, given: Options, before?: NetworkRow): Options {
  const kind = kindOf(type);
  const { properties } = typeSchemaOf(kind.options);
  const stored = before && before.type === type ? optionsOf(ctx.secrets, before) : {};
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw invalid(`There is no option ${unknown.slice(0, 64)}.`);
  const merged = withKeptSecrets(kind.options, given, stored, placesOf(kind));
  if ('error' in merged) throw invalid(merged.error);
  const { options } = merged;
  const parsed = kind.options.safeParse(options);
  if (!parsed.success) throw invalid(faultText(parsed.error));
  requireAddresses(options);
  return options;
}

/** An option that is left out has its default, so its absence is no change. */
const placesOf =
  (kind: NetworkKind): PlaceOf =>
  (secret, options) =>
    kind.secretGoesTo[secret]?.map(
      (option) => options[option] ?? (kind.options.shape[option] as ZodType | undefined)?.safeParse(undefined).data ?? null,
    );

function requireAddresses({ address, tls, api_address }: Options): void {
  if (typeof address === 'string' && !readBrokerAddress(address, tls === true)) throw invalid(addressMessage);
  if (typeof api_address !== 'string') return;
  const url = URL.parse(/^[a-z]+:\/\//i.test(api_address) ? api_address : `http://${api_address}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw invalid('API Address must be an http or https address without user name and password.');
}

const nameTaken = (name: string) => invalid(`Network with the name ${name} already exists.`);

export async function createNetwork(ctx: UserCtx, { name, type, options, is_disabled = false }: NetworkFields): Promise<Network> {
  const options_sealed = ctx.secrets.seal(JSON.stringify(checkedOptions(ctx, type, options)));
  return ctx.transaction(async (tx) => {
    const webhook_secret_sealed = tx.secrets.seal(randomKey());
    const network = { name, type, options_sealed, is_disabled, webhook_secret_sealed, client_id: `telltale-${randomKey(12)}` };
    const id = await insertNetwork(tx.db, { org_id: tx.user.org_id, ...network });
    if (id === undefined) throw nameTaken(name);
    await recordEvent(tx, 'create', 'network', id);
    return getNetwork(tx, id);
  });
}

export async function saveNetwork(ctx: UserCtx, id: number, changes: NetworkChanges): Promise<Network> {
  return ctx.transaction(async (tx) => {
    await lockNetwork(tx.db, id);
    const before = await getNetworkRow(tx, id);
    const { name = before.name, type = before.type, is_disabled = before.is_disabled } = changes;
    if (type !== before.type && before.channels > 0) throw invalid('The type cannot be changed while channels are bound to the network.');
    const stored = optionsOf(tx.secrets, before);
    const options =
      changes.options === undefined && type === before.type ? stored : checkedOptions(tx, type, changes.options ?? {}, before);
    const isElsewhere = type !== before.type || is_disabled !== before.is_disabled || !isDeepStrictEqual(options, stored);
    const options_sealed = tx.secrets.seal(JSON.stringify(options));
    if (!(await updateNetwork(tx.db, id, { name, type, options_sealed, is_disabled, isElsewhere }))) throw nameTaken(name);
    if (isElsewhere) await forgetState(tx.db, id);
    await recordEvent(tx, 'edit', 'network', id);
    return getNetwork(tx, id);
  });
}

export async function removeNetwork(ctx: UserCtx, id: number): Promise<null> {
  await getNetworkRow(ctx, id);
  await deleteNetwork(ctx.db, id);
  await recordEvent(ctx, 'delete', 'network', id);
  return null;
}

export async function rotateWebhookSecret(ctx: UserCtx, id: number): Promise<Network> {
  await getNetworkRow(ctx, id);
  await setWebhookSecret(ctx.db, id, ctx.secrets.seal(randomKey()));
  await recordEvent(ctx, 'rotate_key', 'network', id);
  return getNetwork(ctx, id);
}

export function airtimeOf(question: AirtimeQuestion): Airtime {
  const airtime_ms = Math.round(airtimeMs(question) * 1000) / 1000;
  return { airtime_ms, per_hour_at_1_percent: perHourAtOnePercent(airtime_ms) };
}

/** iot-behaviour 2.7: the reason why a replacing command of this channel could never be sent; undefined when it could. */
export async function replaceFault(ctx: Ctx, channelPk: number): Promise<string | undefined> {
  const binding = (await listBindings(ctx.db)).find(({ channel_pk }) => channel_pk === channelPk);
  const row = binding && (await findNetworkRow(ctx.db, binding.network_id));
  return row && kindOf(row.type).replaceFault(optionsOf(ctx.secrets, row));
}
