import type { ChannelKind } from '@telltale/domain/channels/contract.ts';
import type { DeviceVariables } from '@telltale/domain/channels/variables.ts';
import type { CommandDraft } from '@telltale/domain/commands/check.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** The fields of a command that a save writes; its devices have a table of their own. */
export interface CommandFields extends Omit<CommandDraft, 'channel_id' | 'device_ids'> {
  channel_pk: number;
}

export interface CommandRow extends CommandFields {
  id: number;
  org_id: number;
  channel_id: string;
  channel_name: string;
  kind: ChannelKind;
  device_ids: string[];
  user_id: number | null;
  user_name: string | null;
  created_at: string;
  updated_at: string;
}

const fields = sql`commands.id, commands.org_id, commands.name, channel_pk, fport, mode, confirm, payload, retry_enabled, retry_count, retry_until,
  retry_wait_seconds, skip_if_true, ttl_seconds, commands.user_id, users.name as user_name, commands.created_at, commands.updated_at,
  channel.channel_id, channel.channel_name, channel.kind,
  array(select device_id from command_devices join telemetry.device on device.id = device_pk
    where command_id = commands.id and device.deleted_at is null order by place) as device_ids`;
const from = sql`commands join telemetry.channel on channel.id = channel_pk left join users on users.id = commands.user_id`;
const isAlive = sql`channel.deleted_at is null`;

export async function listCommandRows(db: Db, where: RawBuilder<unknown>): Promise<CommandRow[]> {
  const { rows } = await sql<CommandRow>`
    select ${fields} from ${from} where ${isAlive} and ${where} order by commands.created_at desc, commands.id desc`.execute(db);
  return rows;
}

export async function findCommand(db: Db, id: number): Promise<CommandRow | undefined> {
  const { rows } = await sql<CommandRow>`select ${fields} from ${from} where commands.id = ${id} and ${isAlive}`.execute(db);
  return rows[0];
}

/** Reads a command with its devices in one round trip, as a firing needs them. */
export async function findCommandWithTargets(db: Db, id: number): Promise<{ command: CommandRow; devices: TargetDevice[] } | undefined> {
  const { rows } = await sql<CommandRow & { devices: TargetDevice[] }>`
    select ${fields}, (select coalesce(jsonb_agg(jsonb_build_object('pk', device.id, 'device_id', device_id, 'device_name', device_name) order by place), '[]')
      from command_devices join telemetry.device on device.id = device_pk
      where command_id = commands.id and device.channel_pk = commands.channel_pk and device.deleted_at is null) as devices
    from ${from} where commands.id = ${id} and ${isAlive}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { devices, ...command } = row;
  return { command, devices };
}

export async function insertCommand(db: Db, command: CommandFields, by: { org_id: number; user_id: number }): Promise<number> {
  const { rows } = await sql<Columns<'commands', 'id'>>`
    insert into commands (org_id, user_id, name, channel_pk, fport, mode, confirm, payload, retry_enabled, retry_count, retry_until,
      retry_wait_seconds, skip_if_true, ttl_seconds)
    values (${by.org_id}, ${by.user_id}, ${command.name}, ${command.channel_pk}, ${command.fport}, ${command.mode}, ${command.confirm},
      ${command.payload}, ${command.retry_enabled}, ${command.retry_count}, ${jsonOf(command.retry_until)}::jsonb,
      ${command.retry_wait_seconds}, ${command.skip_if_true}, ${command.ttl_seconds})
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

export const updateCommand = (db: Db, id: number, command: CommandFields) =>
  sql`
    update commands set name = ${command.name}, channel_pk = ${command.channel_pk}, fport = ${command.fport}, mode = ${command.mode},
      confirm = ${command.confirm}, payload = ${command.payload}, retry_enabled = ${command.retry_enabled},
      retry_count = ${command.retry_count}, retry_until = ${jsonOf(command.retry_until)}::jsonb,
      retry_wait_seconds = ${command.retry_wait_seconds}, skip_if_true = ${command.skip_if_true}, ttl_seconds = ${command.ttl_seconds}, updated_at = now()
    where id = ${id}`.execute(db);

/** Locks the command against other changes; what refers to it, such as a firing, does not wait. */
export const lockCommand = (db: Db, id: number) => sql`select from commands where id = ${id} for no key update`.execute(db);

export const deleteCommand = (db: Db, id: number) => sql`delete from commands where id = ${id}`.execute(db);

const jsonOf = (value: unknown) => (value === null ? null : JSON.stringify(value));

export async function setCommandDevices(db: Db, id: number, devicePks: readonly number[]): Promise<void> {
  await sql`delete from command_devices where command_id = ${id}`.execute(db);
  await sql`
    insert into command_devices (command_id, device_pk, place)
    select ${id}, pk, place from unnest(${devicePks}::int[]) with ordinality as device(pk, place)`.execute(db);
}

export interface TargetDevice extends Columns<'telemetry.device', 'device_id' | 'device_name'> {
  pk: number;
}

/** Finds devices of a channel by their ids, in the given order; unknown ids are left out. */
export async function findTargets(db: Db, channelPk: number, deviceIds: readonly string[]): Promise<TargetDevice[]> {
  const { rows } = await sql<TargetDevice>`
    select device.id as pk, device_id, device_name from telemetry.device
    join unnest(${deviceIds}::text[]) with ordinality as wanted(id, place) on wanted.id = device_id
    where channel_pk = ${channelPk} and deleted_at is null order by place`.execute(db);
  return rows;
}

/** Devices that have the same variables. */
export interface VariablesGroup {
  variables: DeviceVariables;
  device_pks: number[];
}

/** Groups devices by their variables, the largest groups first; at most so many groups unless it is null. */
export async function groupByVariables(db: Db, devicePks: readonly number[], most: number | null): Promise<VariablesGroup[]> {
  const { rows } = await sql<VariablesGroup>`
    select variables, array_agg(id) as device_pks from telemetry.device where id = any(${devicePks}::int[])
    group by variables order by count(*) desc, min(id) limit ${most}::int`.execute(db);
  return rows;
}

/** Counts the devices that have ever reported the attribute. */
export async function countReporting(db: Db, devicePks: readonly number[], attribute: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from telemetry.device_attribute join telemetry.attribute on attribute.id = attribute_id
    where device_pk = any(${devicePks}::int[]) and attribute.name = ${attribute}`.execute(db);
  return rows[0]?.count ?? 0;
}
