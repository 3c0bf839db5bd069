import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceVariables } from '@telltale/domain/channels/variables.ts';
import { type CommandPayload, lengthFault, readPayload } from '@telltale/domain/commands/payload.ts';
import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { groupByVariables, type VariablesGroup } from './commands.store.ts';

/** An object on its way to devices that have these variables. */
interface ObjectToEncode {
  channel_pk: number;
  data: Record<string, unknown>;
  fport: number;
  variables: DeviceVariables;
}

/** The encoders that channels have of their own. */
export interface ObjectEncoder {
  /** False when the channel certainly has none. */
  mayEncode(channelPk: number): boolean;
  /** Returns undefined when the channel has none. */
  encode(object: ObjectToEncode): Promise<{ bytes: Uint8Array; fport: number } | { fault: string; isBusy: boolean } | undefined>;
}

/** The encoder of each installation that this process serves. */
const encoders = new WeakMap<Ctx['config'], ObjectEncoder>();

/** Sets the encoder; the app and the roles call it at start-up. */
export function useEncoder({ config }: Pick<Ctx, 'config'>, encoder: ObjectEncoder): void {
  encoders.set(config, encoder);
}

/** What a device gets instead of what the others get, or the reason why it gets nothing. */
type OwnPayload = { bytes: Buffer; fport: number } | { fault: string };

/** The encoded payload of a command. */
export interface EncodedPayload {
  encoding: CommandPayload['encoding'];
  object: Record<string, unknown> | null;
  is_encoded: boolean;
  /** The bytes and the port for all devices that have none of their own. */
  bytes: Buffer;
  fport: number;
  /** iot-behaviour 4.1: by device, where its variables make a difference. */
  own: ReadonlyMap<number, OwnPayload>;
}

interface PayloadRequest {
  payload: string;
  channel_pk: number;
  fport: number;
  isLorawan: boolean;
  device_pks: readonly number[];
  /** The reason why a port cannot be sent to. Without it any port will do. */
  portFault?: (fport: number) => string | undefined;
  /** How many different sets of variables are encoded for; all unless given. */
  mostGroups?: number;
}

/** Encodes a payload for devices; refused when none of them can get anything. */
export async function encodePayload(ctx: Ctx, request: PayloadRequest): Promise<EncodedPayload> {
  const { fport, isLorawan, portFault } = request;
  const read = readPayload(request.payload, { isLorawan });
  if ('fault' in read) throw invalid(read.fault);
  const { encoding, bytes } = read.payload;
  const object = read.payload.encoding === 'json' ? read.payload.value : null;
  const shares = object && (await encodeShares(ctx, request, object));
  if (shares) return { encoding, object, is_encoded: true, ...divide(shares) };
  const fault = portFault?.(fport);
  if (fault) throw invalid(fault);
  return { encoding, object, is_encoded: false, bytes: Buffer.from(bytes), fport, own: new Map() };
}

/** What devices with equal variables get. */
interface Share {
  device_pks: readonly number[];
  payload: OwnPayload;
}

/** So many sets of variables are given to the encoder at once; those that it does not come to in time fail. */
const pace = { together: 32, withinMs: 10_000, busyPauseMs: 100 };

/** iot-behaviour 4.1: encodes once for all devices that have the same variables. Returns undefined when the channel has no encoder. */
async function encodeShares(ctx: Ctx, request: PayloadRequest, data: Record<string, unknown>): Promise<Share[] | undefined> {
  const { channel_pk, fport, isLorawan, device_pks, portFault, mostGroups } = request;
  const encoder = encoders.get(ctx.config);
  if (!encoder?.mayEncode(channel_pk)) return undefined;
  const groups = await groupByVariables(ctx.db, device_pks, mostGroups ?? null);
  // Devices may have been deleted since they were chosen; the payload is checked all the same.
  if (groups.length === 0) groups.push({ variables: {}, device_pks: [] });
  const until = performance.now() + pace.withinMs;
  const encode = async ({ variables }: VariablesGroup) => {
    for (;;) {
      const made = await encoder.encode({ channel_pk, data, fport, variables });
      if (!made || !('fault' in made) || !made.isBusy || performance.now() > until) return made;
      await delay(pace.busyPauseMs);
    }
  };
  const checked = (made: Awaited<ReturnType<typeof encode>>): OwnPayload => {
    if (!made) return { fault: 'The encoder of the channel was removed.' };
    if ('fault' in made) return { fault: made.fault };
    const fault = lengthFault(made.bytes.length, { isLorawan }) ?? portFault?.(made.fport);
    return fault === undefined ? { bytes: Buffer.from(made.bytes), fport: made.fport } : { fault };
  };
  const shares: Share[] = [];
  while (shares.length < groups.length) {
    const step = groups.slice(shares.length, shares.length + pace.together);
    if (performance.now() > until) return [...shares, ...groups.slice(shares.length).map(tooLate)];
    const made = await Promise.all(step.map(encode));
    if (shares.length === 0 && made[0] === undefined) return undefined;
    shares.push(...step.map((group, place) => ({ device_pks: group.device_pks, payload: checked(made[place]) })));
  }
  return shares;
}

const tooLate = ({ device_pks }: VariablesGroup): Share => ({
  device_pks,
  payload: { fault: 'The encoder of the channel takes too long for so many devices.' },
});

/** A port that the table of executions can hold. */
const isStorable = (fport: number) => fport >= 0 && fport < 2 ** 15;

/** Finds what the largest share gets, and the devices that get something else. */
function divide(shares: readonly Share[]): Pick<EncodedPayload, 'bytes' | 'fport' | 'own'> {
  const payloads = shares.map(({ payload }) => payload);
  const made = payloads.flatMap((payload) => ('fault' in payload ? [] : [payload]));
  const [fault] = payloads.flatMap((payload) => ('fault' in payload ? [payload.fault] : []));
  const common = made.find(({ fport }) => isStorable(fport)) ?? made[0];
  if (!common) throw invalid(fault ?? 'The command has no devices.');
  const { bytes, fport } = common;
  const own = new Map<number, OwnPayload>();
  for (const { device_pks, payload } of shares) {
    const isCommon = !('fault' in payload) && payload.fport === fport && payload.bytes.equals(bytes);
    if (isCommon) continue;
    // One odd port must not keep the others from getting theirs.
    const isOdd = !('fault' in payload) && !isStorable(payload.fport);
    for (const pk of device_pks) own.set(pk, isOdd ? { fault: 'fport must be between 0 and 223' } : payload);
  }
  return { bytes, fport, own };
}
