import { createHash } from 'node:crypto';
import { readBytes, toHex } from '@telltale/domain/decoders/bytes.ts';
import type { DecoderExample, DecoderOutcome, DecoderTest, DecoderTestReply, RecentUplink } from '@telltale/domain/decoders/contract.ts';
import { isSameData } from '@telltale/domain/decoders/same-data.ts';
import { getChannelRow } from '../channels/channels.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError, forbidden } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { downlinkInput, encodeInput, uplinkInput } from './call-input.ts';
import { listRecentUplinks } from './decoders.store.ts';
import { type Answer, readAnswer } from './engine/answer.ts';
import type { DecoderPool } from './engine/pool.ts';
import type { EngineCall, EngineFault } from './engine/protocol.ts';
import { getActiveDecoder } from './script-in-use.ts';

const recentUplinks = 20;
const usualPort = 1;
const mainEntries = ['decodeUplink', 'encodeDownlink', 'Decoder', 'Decode', 'Encoder', 'Encode'];

const keyOf = (script: string) => createHash('sha256').update(script).digest('base64');
const outcomeOf = ({ data, warnings, errors, log, ms }: Answer) => ({ data, warnings, errors, log, ms: Math.round(ms * 1000) / 1000 });

async function call(pool: DecoderPool, script: string, command: EngineCall['command'], input: string): Promise<Answer> {
  const answer = readAnswer(await pool.run(keyOf(script), script, { command, input, withLog: true }));
  if (answer.fault?.code === 'decoder_busy') throw new AppError(503, 'decoder_busy', 'Too many decoders are running. Please try again.');
  return answer;
}

/** Loads a script without calling it. */
export async function scriptFault(pool: DecoderPool, script: string): Promise<EngineFault | null> {
  const result = await pool.run(keyOf(script), script, { command: 'entries', input: '', withLog: false });
  if ('fault' in result) return result.fault;
  const entries = JSON.parse(result.text) as string[];
  if (entries.some((entry) => mainEntries.includes(entry))) return null;
  return { code: 'decoder_missing', message: 'It has no function decodeUplink or encodeDownlink.' };
}

/** Trying an unsaved script needs the right to save it; the saved script may be tried by every user who can see it. */
async function scriptToTry(ctx: UserCtx, channelPk: number, given: string | undefined): Promise<string> {
  if (given === undefined) return (await getActiveDecoder(ctx, channelPk)).script;
  if (!may(ctx.user, 'manage', 'channel')) throw forbidden();
  return given;
}

export async function testDecoder(ctx: UserCtx, pool: DecoderPool, channelId: string, test: DecoderTest): Promise<DecoderTestReply> {
  const { pk, channel_id } = await getChannelRow(ctx, channelId);
  const script = await scriptToTry(ctx, pk, test.script);
  const answer = await call(pool, script, test.function, testInput(test, channel_id, ctx.now));
  return {
    ...outcomeOf(answer),
    bytes: answer.bytes && toHex(answer.bytes),
    f_port: answer.bytes ? (answer.fPort ?? test.f_port) : null,
    error_line: answer.fault?.line ?? null,
  };
}

function testInput({ function: name, bytes, data, f_port, variables }: DecoderTest, channel_id: string, now: Date): string {
  if (name === 'encodeDownlink') return encodeInput(data ?? {}, f_port, variables);
  const given = readBytes(bytes ?? '') ?? new Uint8Array();
  if (name === 'decodeDownlink') return downlinkInput(given, f_port);
  return uplinkInput({
    bytes: given,
    fport: f_port,
    receivedAtMs: now.getTime(),
    device: { channel_id, device_id: 'test', dev_eui: null },
    variables,
  });
}

/** A script may log the variables it gets, so it runs with those of devices only for people who may read them. */
const hiddenVariables: DecoderOutcome = {
  data: null,
  warnings: [],
  errors: ['This device has variables. Trying the decoder with them needs the right to manage channels.'],
  log: [],
  ms: 0,
};

/** iot-behaviour 4.2: runs a script on recent messages of real devices before it is saved. */
export async function runRecent(ctx: UserCtx, pool: DecoderPool, channelId: string, given: string | undefined): Promise<RecentUplink[]> {
  const { pk, channel_id } = await getChannelRow(ctx, channelId);
  const script = await scriptToTry(ctx, pk, given);
  const uplinks = await listRecentUplinks(ctx.db, pk, recentUplinks);
  return Promise.all(
    uplinks.map(async ({ raw, fport, device_id, dev_eui, variables, received_at, uplink_id, decoder_version }) => {
      const f_port = fport ?? usualPort;
      const device = { channel_id, device_id, dev_eui };
      const input = uplinkInput({ bytes: raw, fport: f_port, receivedAtMs: Date.parse(received_at), device, variables });
      const isHidden = Object.keys(variables).length > 0 && !may(ctx.user, 'read_key', 'device');
      const outcome = isHidden ? hiddenVariables : outcomeOf(await call(pool, script, 'decodeUplink', input));
      return { uplink_id, device_id, received_at, f_port, bytes: toHex(raw), decoder_version, ...outcome };
    }),
  );
}

export interface ExampleOutcome {
  name: string;
  is_ok: boolean;
  data: unknown;
  errors: string[];
}

export const runExamples = (
  pool: DecoderPool,
  script: string,
  examples: readonly DecoderExample[],
  channel_id: string,
): Promise<ExampleOutcome[]> =>
  Promise.all(
    examples.map(async ({ name, bytes, f_port, expected }) => {
      const device = { channel_id, device_id: 'example', dev_eui: null };
      const input = uplinkInput({ bytes: readBytes(bytes) ?? new Uint8Array(), fport: f_port, receivedAtMs: Date.now(), device });
      const { data, errors } = await call(pool, script, 'decodeUplink', input);
      return { name, is_ok: errors.length === 0 && (expected == null || isSameData(data, expected)), data, errors };
    }),
  );
