import { isDeepStrictEqual } from 'node:util';
import { attributesOf, holds } from '@telltale/domain/commands/condition.ts';
import type { ScheduleListParams } from '@telltale/domain/commands/contract.ts';
import {
  defaultTimezone,
  type Schedule,
  type ScheduleInput,
  type SchedulePreview,
  type SchedulePreviewInput,
  type ScheduleRun,
} from '@telltale/domain/commands/schedule.ts';
import { conditionSentence, readEvent, readTimes } from '@telltale/domain/commands/schedule-check.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { getChannelRow, isReached } from '../channels/channels.ts';
import { getDeviceRow } from '../channels/devices.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound, unknownAs } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { getCommandRow } from './commands.ts';
import { termsOf } from './event-schedules.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listRunRows,
  listScheduleRows,
  lockSchedules,
  readNewestValues,
  resumeRow,
  type ScheduleFields,
  type ScheduleRow,
  updateSchedule,
} from './schedules.store.ts';

const usualNames = { o: 'One Time', r: 'Recurring', e: 'Event' } as const;
const limits = { name: 255, schedules: 200, seconds: 86_400 } as const;

function answer(row: ScheduleRow, now: Date): Schedule {
  const { channel_pk: _, device_pk: __, evaluated_at: ___, hold_until: ____, ...shown } = row;
  // A2: recurring and event schedules are active, and one-time schedules in the future.
  const is_active =
    row.type === 'o' ? row.next_run_at !== null && new Date(row.next_run_at) > now : row.type === 'e' || row.next_run_at !== null;
  return { ...shown, is_active, sentence: sentenceOf(row, now) };
}

function sentenceOf(row: ScheduleRow, now: Date): string {
  if (row.type === 'e')
    return row.condition ? `When ${row.device_id ?? 'the device'} reports that ${conditionSentence(row.condition)}.` : '';
  const read = readTimes(row.type, row.schedule, row.timezone, now.getTime(), { mayBePast: true });
  return 'fault' in read ? (row.schedule ?? '') : read.sentence;
}

/** An event schedule shows a device of its own channel, which need not be the one that the command was moved to. */
const isShown = (ctx: UserCtx, { channel_pk }: ScheduleRow) => channel_pk === null || isReached(ctx, channel_pk);

/** The command is read first: it is not found by users without access to its channel. */
async function getRow(ctx: UserCtx, commandId: number, id: number): Promise<ScheduleRow> {
  await getCommandRow(ctx, commandId);
  const row = await findSchedule(ctx.db, commandId, id);
  if (!row || !isShown(ctx, row)) throw notFound('Schedule');
  return row;
}

export async function listSchedules(ctx: UserCtx, commandId: number, { filter, ...params }: ScheduleListParams) {
  await getCommandRow(ctx, commandId);
  const rows = (await listScheduleRows(ctx.db, commandId)).filter((row) => isShown(ctx, row));
  const all = rows.map((row) => answer(row, ctx.now));
  return arrayOrPage(filter === 'active' ? all.filter(({ is_active }) => is_active) : all, params, ({ name }) => name);
}

/** A7: the same call also saves; a body with an id changes that schedule. */
export async function createSchedule(ctx: UserCtx, commandId: number, input: ScheduleInput): Promise<Schedule> {
  if (input.id != null) return saveSchedule(ctx, commandId, input.id, input);
  await getCommandRow(ctx, commandId);
  const fields = await check(ctx, input);
  const id = await ctx.transaction(async (tx) => {
    if ((await listScheduleRows(tx.db, commandId)).length >= limits.schedules)
      throw invalid(`A command has at most ${limits.schedules} schedules.`);
    const made = await insertSchedule(tx.db, commandId, ctx.user.id, fields);
    await recordEvent(tx, 'create', 'schedule', made, { command_id: commandId, type: fields.type });
    return made;
  });
  return answer(await getRow(ctx, commandId, id), ctx.now);
}

export async function saveSchedule(ctx: UserCtx, commandId: number, id: number, input: ScheduleInput): Promise<Schedule> {
  const saved = await getRow(ctx, commandId, id);
  const fields = await check(ctx, merge(input, saved));
  await ctx.transaction(async (tx) => {
    const [before] = await lockSchedules(tx.db, [id]);
    await updateSchedule(tx.db, id, fields, before !== undefined && isDeepStrictEqual(termsOf(before), termsOf(fields)));
    await recordEvent(tx, 'edit', 'schedule', id, { command_id: commandId });
  });
  return answer(await getRow(ctx, commandId, id), ctx.now);
}

/**
 * Keeps the fields that are not sent. A grouped condition and a single comparison replace each other. A single comparison is answered as a
 * condition as well: clients that post the whole schedule back change it by its own fields (design 8).
 */
function merge(input: ScheduleInput, saved: ScheduleRow): ScheduleInput {
  const isEcho = saved.attribute !== null && isDeepStrictEqual(input.condition, saved.condition);
  const isSingle = input.attribute !== undefined || input.operator !== undefined || input.value !== undefined;
  return {
    type: input.type ?? saved.type,
    name: input.name ?? saved.name,
    timezone: input.timezone ?? saved.timezone,
    schedule: input.schedule ?? saved.schedule,
    channel_id: input.channel_id ?? saved.channel_id,
    device_id: input.device_id ?? saved.device_id,
    attribute: input.attribute ?? saved.attribute,
    operator: input.operator ?? saved.operator,
    value: input.value ?? saved.value,
    condition: input.condition !== undefined && !isEcho ? input.condition : isSingle || saved.attribute !== null ? null : saved.condition,
    hold_seconds: input.hold_seconds ?? saved.hold_seconds,
    clear_value: input.clear_value === undefined ? saved.clear_value : input.clear_value,
    cooldown_seconds: input.cooldown_seconds ?? saved.cooldown_seconds,
  };
}

async function check(ctx: UserCtx, input: ScheduleInput): Promise<ScheduleFields> {
  const { type } = input;
  if (type !== 'o' && type !== 'r' && type !== 'e') throw invalid('type must be o, r or e');
  const name = input.name?.trim() || usualNames[type];
  if (name.length > limits.name) throw invalid(`Name is too long (at most ${limits.name} characters).`);
  const none = { channel_pk: null, device_pk: null, attribute: null, operator: null, value: null, condition: null };
  const extra = { hold_seconds: 0, clear_value: null, cooldown_seconds: 0, state: null, evaluated_at: null } as const;
  if (type === 'e') return { ...extra, ...(await checkEvent(ctx, input)), type, name, schedule: null, next_run_at: null };
  const read = readTimes(type, input.schedule, input.timezone, ctx.now.getTime());
  if ('fault' in read) throw invalid(read.fault);
  const { schedule, timezone, next } = read;
  return { ...none, ...extra, type, name, timezone, schedule, next_run_at: new Date(next[0] ?? 0) };
}

async function checkEvent(ctx: UserCtx, input: ScheduleInput) {
  if (!input.channel_id) throw invalid('Channel is required.');
  if (!input.device_id) throw invalid('Device is required.');
  const { channel_id, device_id } = input;
  const channel = await getChannelRow(ctx, channel_id).catch(unknownAs(`There is no channel "${channel_id}".`));
  const device = await getDeviceRow(ctx, { id: channel_id, deviceId: device_id }).catch(
    unknownAs(`The channel has no device "${device_id}".`),
  );
  const read = readEvent(input);
  if ('fault' in read) throw invalid(read.fault);
  const { condition, simple } = read;
  const seconds = (given: number | null | undefined, what: string) => {
    const value = given ?? 0;
    if (!Number.isInteger(value) || value < 0 || value > limits.seconds) throw invalid(`${what} must be between 0 and ${limits.seconds}.`);
    return value;
  };
  return {
    timezone: input.timezone?.trim() || defaultTimezone,
    channel_pk: channel.pk,
    device_pk: device.pk,
    attribute: simple?.attribute ?? null,
    operator: simple?.operator ?? null,
    value: simple?.value ?? null,
    condition,
    hold_seconds: seconds(input.hold_seconds, 'hold_seconds'),
    clear_value: input.clear_value ?? null,
    cooldown_seconds: seconds(input.cooldown_seconds, 'cooldown_seconds'),
    ...(await baseline(ctx, device.pk, condition)),
  };
}

/** iot-behaviour 3.7.1: the state of the condition when the schedule is saved; it does not fire the schedule. */
async function baseline(
  ctx: Ctx,
  devicePk: number,
  condition: ScheduleFields['condition'],
): Promise<Pick<ScheduleFields, 'state' | 'evaluated_at'>> {
  const wanted = condition ? attributesOf(condition) : [];
  const last = await readNewestValues(ctx.db, [devicePk], wanted);
  const truth = condition ? holds(condition, new Map(last.map((value) => [value.name, value]))) : undefined;
  const newest = last.length > 0 ? Math.max(...last.map(({ at }) => at)) : null;
  return { state: truth === undefined ? 'unknown' : truth ? 'active' : 'armed', evaluated_at: newest };
}

export async function removeSchedule(ctx: UserCtx, commandId: number, id: number): Promise<null> {
  await getRow(ctx, commandId, id);
  await ctx.transaction(async (tx) => {
    await deleteSchedule(tx.db, id);
    await recordEvent(tx, 'delete', 'schedule', id, { command_id: commandId });
  });
  return null;
}

export async function resumeSchedule(ctx: UserCtx, commandId: number, id: number): Promise<Schedule> {
  const row = await getRow(ctx, commandId, id);
  const read = row.type === 'r' ? readTimes('r', row.schedule, row.timezone, ctx.now.getTime()) : undefined;
  const next = read && !('fault' in read) ? new Date(read.next[0] ?? 0) : null;
  await ctx.transaction(async (tx) => {
    await resumeRow(tx.db, id, next);
    await recordEvent(tx, 'resume', 'schedule', id, { command_id: commandId });
  });
  return answer(await getRow(ctx, commandId, id), ctx.now);
}

export async function listRuns(ctx: UserCtx, commandId: number, id: number, params: ListParams): Promise<Page<ScheduleRun>> {
  await getRow(ctx, commandId, id);
  return listRunRows(ctx.db, id, params);
}

export async function previewSchedule(ctx: UserCtx, { type, schedule, timezone, after }: SchedulePreviewInput): Promise<SchedulePreview> {
  const read = readTimes(type, schedule, timezone, after ? Date.parse(after) : ctx.now.getTime());
  if ('fault' in read) throw invalid(read.fault);
  const next = read.next.map((at) => new Date(at).toISOString().replace('.000Z', 'Z'));
  return { sentence: read.sentence, next, schedule: read.schedule, timezone: read.timezone };
}
