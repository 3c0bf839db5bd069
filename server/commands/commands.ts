import { type CommandDraft, checkCommand } from '@telltale/domain/commands/check.ts';
import type { CommandInput } from '@telltale/domain/commands/command.ts';
import { type Command, devicesToConfirm, type SendInput, type Sent } from '@telltale/domain/commands/contract.ts';
import type { Execution } from '@telltale/domain/commands/delivery.ts';
import type { ArrayListParams, ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { getChannelRow, isReached } from '../channels/channels.ts';
import { recordEvent } from '../events/events.ts';
import { replaceFault } from '../network-servers/network-servers.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound, unknownAs } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { whereMay } from '../policy/policy.ts';
import {
  type CommandFields,
  type CommandRow,
  countReporting,
  deleteCommand,
  findCommand,
  findTargets,
  insertCommand,
  listCommandRows,
  lockCommand,
  setCommandDevices,
  type TargetDevice,
  updateCommand,
} from './commands.store.ts';
import { cancelOfCommand } from './deliveries.ts';
import { type EncodedPayload, encodePayload } from './encoder.ts';
import { listExecutionRows } from './executions.store.ts';
import { fire, isDirect, prepare } from './executions.ts';

const answer = ({ org_id: _, channel_pk: __, kind: ___, user_id, user_name, ...command }: CommandRow): Command => ({
  ...command,
  command_name: command.name,
  user: user_id === null ? null : { id: user_id, name: user_name ?? '' },
});

export async function getCommandRow(ctx: Ctx, id: number): Promise<CommandRow> {
  const row = await findCommand(ctx.db, id);
  if (!row || !isReached(ctx, row.channel_pk)) throw notFound('Command');
  return row;
}

export async function listCommands(ctx: UserCtx, params: ArrayListParams) {
  const commands = (await listCommandRows(ctx.db, whereMay(ctx.user, 'reach', 'channel'))).map(answer);
  return arrayOrPage(commands, params, ({ name, channel_id }) => `${name} ${channel_id}`);
}

export const getCommand = async (ctx: UserCtx, id: number): Promise<Command> => answer(await getCommandRow(ctx, id));

interface CommandTerms {
  /** The command of a file may come before the readings that it waits for. */
  mayLackReadings?: boolean;
}

export async function createCommand(ctx: UserCtx, input: CommandInput, terms: CommandTerms = {}): Promise<Command> {
  const { fields, devices } = await check(ctx, input, undefined, terms);
  const id = await ctx.transaction(async (tx) => {
    const made = await insertCommand(tx.db, fields, { org_id: ctx.user.org_id, user_id: ctx.user.id });
    await setCommandDevices(
      tx.db,
      made,
      devices.map(({ pk }) => pk),
    );
    await recordEvent(tx, 'create', 'command', made);
    return made;
  });
  return getCommand(ctx, id);
}

export async function saveCommand(ctx: UserCtx, id: number, input: CommandInput): Promise<Command> {
  const seen = await getCommandRow(ctx, id);
  // Before the transaction: an encoder may take seconds, in which no connection and no lock is held.
  const checked = await check(ctx, input, seen);
  await ctx.transaction(async (tx) => {
    // The lock keeps fields that are not sent, even when someone else saves at the same moment.
    await lockCommand(tx.db, id);
    const saved = await getCommandRow(tx, id);
    const { fields, devices } = saved.updated_at === seen.updated_at ? checked : await check(tx, input, saved);
    await updateCommand(tx.db, id, fields);
    await setCommandDevices(
      tx.db,
      id,
      devices.map(({ pk }) => pk),
    );
    await recordEvent(tx, 'edit', 'command', id);
  });
  return getCommand(ctx, id);
}

/** Deletes a command with its schedules and links; sent deliveries stay in the logs of the devices. */
export async function removeCommand(ctx: UserCtx, id: number): Promise<null> {
  const { name } = await getCommandRow(ctx, id);
  await ctx.transaction(async (tx) => {
    await cancelOfCommand(tx, id);
    await deleteCommand(tx.db, id);
    await recordEvent(tx, 'delete', 'command', id, { name });
  });
  return null;
}

/** A save asks the encoder of the channel for so many different variables of the devices; one that it can encode for is enough. */
const groupsToCheck = 100;

/** A5: validates the input and looks up its channel and devices. */
async function check(
  ctx: UserCtx,
  input: CommandInput,
  saved?: CommandRow,
  { mayLackReadings = false }: CommandTerms = {},
): Promise<{ fields: CommandFields; devices: TargetDevice[] }> {
  const checked = checkCommand(input, saved);
  if ('fault' in checked) throw invalid(checked.fault);
  const { draft } = checked;
  const channel = await getChannelRow(ctx, draft.channel_id).catch(unknownAs(`There is no channel "${draft.channel_id}".`));
  const devices = await targets(ctx, channel.pk, draft.device_ids);
  const isLorawan = !isDirect(channel);
  // LoRaWAN has no port 0 (iot-behaviour 3.1). A command that was saved with it can still be renamed; sending refuses it.
  const isPortGiven = !saved || input.fport !== undefined || input.channel_id !== undefined;
  if (isPortGiven && isLorawan && draft.fport < 1) throw invalid('fport must be between 1 and 223');
  const fault = isLorawan && draft.mode === 'replace' ? await replaceFault(ctx, channel.pk) : undefined;
  if (fault) throw invalid(fault);
  const { payload, fport } = draft;
  const device_pks = devices.map(({ pk }) => pk);
  await encodePayload(ctx, { payload, fport, channel_pk: channel.pk, isLorawan, device_pks, mostGroups: groupsToCheck });
  if (!mayLackReadings) await requireAttribute(ctx, draft, devices);
  const { channel_id: _, device_ids: __, ...rest } = draft;
  return { fields: { ...rest, channel_pk: channel.pk }, devices };
}

async function targets(ctx: Ctx, channelPk: number, deviceIds: readonly string[]): Promise<TargetDevice[]> {
  const found = await findTargets(ctx.db, channelPk, deviceIds);
  const known = new Set(found.map(({ device_id }) => device_id));
  const missing = deviceIds.find((id) => !known.has(id));
  if (missing !== undefined) throw invalid(`The channel has no device "${missing}".`);
  return found;
}

/** A5: every device must have reported the attribute, otherwise its effect cannot be observed. */
async function requireAttribute(ctx: Ctx, { retry_enabled, retry_until }: CommandDraft, devices: readonly TargetDevice[]): Promise<void> {
  if (!retry_enabled || !retry_until) return;
  const pks = devices.map(({ pk }) => pk);
  if ((await countReporting(ctx.db, pks, retry_until.options.column)) < pks.length)
    throw invalid('attribute is not matched with your device!');
}

/** The bytes for a device, or the reason why there are none. */
function payloadFor({ encoding, bytes, own }: EncodedPayload, devicePk: number) {
  const payload = own.get(devicePk) ?? { bytes };
  if ('fault' in payload) return { encoding, bytes_hex: '', fault: payload.fault };
  return { encoding, bytes_hex: payload.bytes.toString('hex'), fault: null };
}

/** design 8.1: sends to the command's devices or to other devices of its channel. */
export async function sendCommand(ctx: UserCtx, id: number, input: SendInput): Promise<Sent> {
  const command = await getCommandRow(ctx, id);
  const devices = await targets(ctx, command.channel_pk, [...new Set(input.device_ids ?? command.device_ids)]);
  if (devices.length === 0) throw invalid('The devices of this command have been deleted. Choose at least one device.');
  const needs_confirmation = devices.length > devicesToConfirm;
  // Before the transaction: an encoder may take seconds, in which no connection is held.
  const encoded = await prepare(ctx, command, devices);
  if (input.preview) {
    const deliveries = devices.map(({ pk, device_id, device_name }) => {
      const { fault, ...payload } = payloadFor(encoded, pk);
      const state = fault === null ? ('pending' as const) : ('failed' as const);
      return { id: null, device_id, device_name, ...payload, state, reason: fault };
    });
    return { execution_id: null, deliveries, needs_confirmation };
  }
  const { ttl_seconds } = input;
  return ctx.transaction(async (tx) => {
    const fired = await fire(tx, command, { source: 'manual', devices, encoded, user_id: ctx.user.id, ttl_seconds });
    if (!fired) throw invalid('This has been sent already.');
    const { execution_id } = fired;
    await recordEvent(tx, 'send', 'command', id, {
      execution_id,
      devices: devices.length,
      bytes: encoded.bytes.length,
      name: command.name,
    });
    const byPk = new Map(devices.map((device) => [device.pk, device]));
    const deliveries = fired.deliveries.flatMap(({ id: delivery, device_pk, state, reason }) => {
      const device = byPk.get(device_pk);
      if (!device) return [];
      const { device_id, device_name } = device;
      const { fault: _, ...payload } = payloadFor(encoded, device_pk);
      return [{ id: delivery, device_id, device_name, ...payload, state, reason }];
    });
    return { execution_id, deliveries, needs_confirmation };
  });
}

export async function listExecutions(ctx: UserCtx, id: number, params: ListParams): Promise<Page<Execution>> {
  await getCommandRow(ctx, id);
  return listExecutionRows(ctx.db, id, params, whereMay(ctx.user, 'reach', 'channel'));
}
