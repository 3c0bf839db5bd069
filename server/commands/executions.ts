import { randomBytes } from 'node:crypto';
import type { RetryUntil } from '@telltale/domain/commands/command.ts';
import { compareReported } from '@telltale/domain/commands/compare.ts';
import { type Execution, longestReason } from '@telltale/domain/commands/delivery.ts';
import type { Ctx } from '../platform/context.ts';
import { invalid, isRefusedForGood } from '../platform/errors.ts';
import type { CommandRow, TargetDevice } from './commands.store.ts';
import { type EncodedPayload, encodePayload } from './encoder.ts';
import { tellEnded } from './ended-notices.ts';
import { insertFiring, lockDevices, type MadeDelivery, type NewDelivery, openDeliveries, separately } from './executions.store.ts';
import { applyEvents } from './progress.ts';
import { type NewRun, readLastValues } from './schedules.store.ts';

/** True for devices of our own broker and of the HTTP API; all others use a network with its own queue. */
export const isDirect = ({ kind }: Pick<CommandRow, 'kind'>): boolean => kind === 'mqtt' || kind === 'http';

/** iot-behaviour 3.6: large firings are spread over time, because a gateway cannot send to many devices at once. */
const spread = { above: 100, overMs: 60_000 };

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Creates an id that sorts by time and cannot be guessed. */
function newWireId(now: number): string {
  let text = '';
  for (let rest = now, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text;
  for (const byte of randomBytes(14)) text += alphabet[byte % 32];
  return text;
}

/** iot-behaviour 3.1: LoRaWAN has no application port 0. */
const lorawanPortFault = (fport: number) => (fport < 1 || fport > 223 ? 'fport must be between 1 and 223' : undefined);

/** Encodes the bytes of a command for devices, for a preview or for a firing. */
export function prepare(ctx: Ctx, command: CommandRow, devices: readonly TargetDevice[]): Promise<EncodedPayload> {
  const { payload, channel_pk, fport } = command;
  const isLorawan = !isDirect(command);
  const device_pks = devices.map(({ pk }) => pk);
  return encodePayload(ctx, { payload, channel_pk, fport, isLorawan, device_pks, ...(isLorawan && { portFault: lorawanPortFault }) });
}

/** What is fired where nothing could be sent: each device has a failed delivery with the reason. */
export const failing = ({ fport }: CommandRow, devices: readonly TargetDevice[], fault: string): EncodedPayload => ({
  encoding: 'hex',
  object: null,
  is_encoded: false,
  bytes: Buffer.alloc(0),
  fport,
  own: new Map(devices.map(({ pk }) => [pk, { fault }])),
});

/** The part of a delivery that differs from its execution. A device that its encoder fails for has no bytes, and nothing is sent to it. */
function ownPart({ own }: EncodedPayload, devicePk: number): Pick<NewDelivery, 'bytes' | 'fport' | 'ended'> {
  const payload = own.get(devicePk);
  if (!payload) return { bytes: null, fport: null, ended: null };
  if (!('fault' in payload)) return { ...payload, ended: null };
  const reason = payload.fault.replaceAll('\0', '').slice(0, longestReason).toWellFormed();
  return { bytes: Buffer.alloc(0), fport: null, ended: { state: 'failed', reason } };
}

export interface Firing {
  source: Execution['source'];
  devices: readonly TargetDevice[];
  /** The payload for these devices, where it is known already. */
  encoded?: EncodedPayload;
  user_id?: number | null;
  schedule_id?: number;
  alert_id?: number;
  /** Two firings with the same key count as one. */
  dedupe_key?: string;
  due_at?: Date;
  is_late?: boolean;
  ttl_seconds?: number | undefined;
  /** The schedule run that this firing belongs to. */
  run?: NewRun;
}

export interface Fired {
  execution_id: number;
  deliveries: MadeDelivery[];
}

/**
 * iot-behaviour 3.1: creates one execution with all its deliveries in one transaction. A command in mode `replace` first replaces the
 * waiting deliveries of the devices that get it. Returns undefined when this firing exists already. A payload that the database refuses for
 * good (U+0000 in JSON) makes the firing invalid, and leaves the transaction of its caller usable.
 */
export async function fire(ctx: Ctx, command: CommandRow, firing: Firing): Promise<Fired | undefined> {
  const { devices, ttl_seconds = command.ttl_seconds } = firing;
  const encoded = firing.encoded ?? (await prepare(ctx, command, devices));
  const pks = devices.map(({ pk }) => pk);
  const retry_until = command.retry_enabled ? command.retry_until : null;
  const { own: _, ...payload } = encoded;
  const execution = {
    ...payload,
    command_id: command.id,
    command_name: command.name,
    channel_pk: command.channel_pk,
    source: firing.source,
    schedule_id: firing.schedule_id ?? null,
    alert_id: firing.alert_id ?? null,
    user_id: firing.user_id ?? null,
    dedupe_key: firing.dedupe_key ?? null,
    due_at: firing.due_at ?? new Date(),
    is_late: firing.is_late ?? false,
    mode: command.mode,
    confirm: command.confirm,
    max_attempts: command.retry_enabled ? command.retry_count + 1 : 1,
    retry_until,
    wait_seconds: command.retry_wait_seconds,
    devices: pks.length,
  };
  const proved = retry_until && command.skip_if_true ? await provedDevices(ctx, pks, retry_until) : new Set<number>();
  const is_direct = isDirect(command);
  const step = !is_direct && pks.length > spread.above ? spread.overMs / pks.length : 0;
  const now = Date.now();
  const deliveries = pks.map((device_pk, place): NewDelivery => {
    const made = { device_pk, wire_id: newWireId(now), afterMs: place * step, ...ownPart(encoded, device_pk) };
    return proved.has(device_pk) ? { ...made, ended: { state: 'succeeded', reason: 'already_true' } } : made;
  });
  const made = {
    execution,
    run: firing.run ?? null,
    is_direct,
    ttl_seconds: Math.min(ttl_seconds, command.ttl_seconds),
    deliveries,
  };
  const store = async (tx: Ctx) => {
    const isReplacing = command.mode === 'replace';
    const reached = deliveries.filter(({ ended }) => ended?.state !== 'failed').map(({ device_pk }) => device_pk);
    if (isReplacing) await lockDevices(tx.db, reached);
    const open = isReplacing ? await openDeliveries(tx.db, reached) : [];
    const fired = await insertFiring(tx.db, made);
    if (!fired) return undefined;
    const event = { kind: 'replaced', reason: `execution ${fired.execution_id}` } as const;
    if (open.length > 0)
      await applyEvents(
        tx,
        open.map((id) => ({ of: { id }, event })),
      );
    const failed = fired.deliveries.filter(({ state }) => state === 'failed');
    await tellEnded(
      tx,
      failed.map(({ id, state }) => ({ id, state, stage: 'done', command_id: command.id })),
    );
    return fired;
  };
  try {
    return await ctx.transaction((tx) => separately(tx.db, () => store(tx)));
  } catch (error) {
    throw isRefusedForGood(error) ? invalid('The command could not be stored.', error) : error;
  }
}

/** Returns the devices whose last report already meets the condition. */
async function provedDevices({ db }: Ctx, pks: readonly number[], { options }: RetryUntil): Promise<Set<number>> {
  const last = (await readLastValues(db, pks)).filter(({ name }) => name === options.column);
  return new Set(
    last.filter((reported) => compareReported(reported, options.op, options.value) === true).map(({ device_pk }) => device_pk),
  );
}
