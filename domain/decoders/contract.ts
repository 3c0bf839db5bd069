import { z } from 'zod';
import { DeviceVariables } from '../channels/variables.ts';
import { Empty, endpoint, Time } from '../endpoint.ts';
import { Job } from '../jobs/contract.ts';
import { retentionDays } from '../uplinks/retention.ts';
import { utf8Length } from '../uplinks/utf8.ts';
import { readBytes } from './bytes.ts';
import { decoderLimits } from './limits.ts';

const tooLong = `A script has at most ${decoderLimits.scriptBytes.toLocaleString('en')} bytes.`;
const Script = z
  .string('The script is required.')
  .refine((text) => utf8Length(text) <= decoderLimits.scriptBytes, tooLong)
  .refine((text) => !text.includes('\0'), 'The script contains the character U+0000.');
const Bytes = z
  .string('bytes is required: hex or base64.')
  .max(200_000, 'These are too many bytes.')
  .refine((text) => readBytes(text) !== null, 'bytes must be hex or base64.');
/** LoRaWAN application ports. */
const FPort = z
  .int('f_port must be between 1 and 223.')
  .min(1, 'f_port must be between 1 and 223.')
  .max(223, 'f_port must be between 1 and 223.');

/** design 8.1: bytes with their expected data. Without `expected` it is enough that they decode. */
export const DecoderExample = z.object({
  name: z.string().trim().min(1, 'An example needs a name.').max(100, 'The name of an example is too long.'),
  bytes: Bytes,
  f_port: FPort.default(1),
  expected: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())], 'expected must be JSON: an object or a list.').nullish(),
});
export type DecoderExample = z.output<typeof DecoderExample>;

const Examples = z
  .array(DecoderExample)
  .max(decoderLimits.examples, `At most ${decoderLimits.examples} examples.`)
  .refine((examples) => JSON.stringify(examples).length <= 256 * 1024, 'The examples are too large.');

/** design 8.1. A channel without a decoder has an empty script; version 0 until the first one is saved. */
export const Decoder = z.object({
  script: z.string(),
  examples: z.array(DecoderExample),
  version: z.int(),
  /** While the circuit breaker is open: payloads are stored undecoded until then. */
  paused_until: Time.nullable(),
  updated_at: Time.nullable(),
  updated_by: z.string().nullable(),
});
export type Decoder = z.output<typeof Decoder>;

export const DecoderChanges = z.object({
  script: Script,
  examples: Examples.default([]),
  /** The version that was edited: refused when another version was saved meanwhile. */
  version: z.int().min(0).optional(),
  /** Saves even if an example fails. */
  override: z.boolean().default(false),
});
export type DecoderChanges = z.output<typeof DecoderChanges>;

export const DecoderVersion = z.object({
  version: z.int(),
  bytes: z.int(),
  is_overridden: z.boolean(),
  created_at: Time,
  created_by: z.string().nullable(),
});
export type DecoderVersion = z.output<typeof DecoderVersion>;

/** The result of a script for some bytes. */
const DecoderOutcome = z.object({
  data: z.unknown(),
  warnings: z.array(z.string()),
  errors: z.array(z.string()),
  log: z.array(z.string()),
  ms: z.number(),
});
export type DecoderOutcome = z.output<typeof DecoderOutcome>;

export const DecoderTest = z
  .object({
    /** The script; the saved one unless given. */
    script: Script.optional(),
    bytes: Bytes.optional(),
    f_port: FPort.default(1),
    function: z.enum(['decodeUplink', 'encodeDownlink', 'decodeDownlink']).default('decodeUplink'),
    /** The object to encode. */
    data: z.record(z.string(), z.unknown()).optional(),
    /** iot-behaviour 4.1: what the script gets as `input.variables`. Those of devices are never taken here. */
    variables: DeviceVariables.default({}),
  })
  .refine((test) => test.function === 'encodeDownlink' || test.bytes !== undefined, 'bytes is required: hex or base64.')
  .refine((test) => test.function !== 'encodeDownlink' || test.data !== undefined, 'data is required: the object to encode.');
export type DecoderTest = z.output<typeof DecoderTest>;
export const DecoderTestReply = DecoderOutcome.extend({
  /** The encoded bytes as hex. */
  bytes: z.string().nullable(),
  f_port: z.int().nullable(),
  error_line: z.int().nullable(),
});
export type DecoderTestReply = z.output<typeof DecoderTestReply>;

export const RecentUplink = DecoderOutcome.extend({
  uplink_id: z.string(),
  device_id: z.string(),
  received_at: Time,
  f_port: z.int(),
  bytes: z.string(),
  decoder_version: z.int().nullable(),
});
export type RecentUplink = z.output<typeof RecentUplink>;

const value = z.union([z.number(), z.boolean(), z.string(), z.null()]);
/** One reading that decoding again would change. */
export const PointChange = z.object({
  change: z.enum(['added', 'changed', 'gone']),
  device_id: z.string(),
  time: Time,
  attribute: z.string(),
  before: value,
  after: value,
});
export type PointChange = z.output<typeof PointChange>;

export const RerunCounts = z.object({
  uplinks: z.int(),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  /** Messages that the script fails on: their points stay as they are. */
  failed: z.int(),
  /** Points of those messages. */
  kept: z.int(),
});
export type RerunCounts = z.output<typeof RerunCounts>;

export const RerunPreview = RerunCounts.extend({
  /** All messages; more than `uplinks` when only the newest were evaluated. */
  total: z.int(),
  examples: z.array(PointChange),
  errors: z.array(z.string()),
});
export type RerunPreview = z.output<typeof RerunPreview>;

/** The run that is under way, or the last one. */
export const Rerun = RerunCounts.extend({
  job: Job,
  total: z.int(),
  version: z.int(),
  started_at: Time,
  started_by: z.string().nullable(),
});
export type Rerun = z.output<typeof Rerun>;

const Days = z.number('days is required.').min(0.001).max(retentionDays.uplink, `Messages are kept for ${retentionDays.uplink} days.`);
export const RerunRequest = z.object({ days: Days, preview: z.boolean().default(false), script: Script.optional() });
export type RerunRequest = z.output<typeof RerunRequest>;

const ByChannel = z.object({ id: z.string().min(1).max(64) });
const ByVersion = ByChannel.extend({ version: z.coerce.number().int().min(1).max(2_000_000_000) });
const at = (path = '') => `/api/channels/:id/decoder${path}`;

export const decodersApi = {
  get: endpoint('GET', at(), {
    needs: 'view_channel',
    params: ByChannel,
    reply: Decoder,
    summary: 'The script that reads the bytes of a channel, and the examples it is held to.',
  }),
  save: endpoint('POST', at(), {
    needs: 'manage_channel',
    params: ByChannel,
    body: DecoderChanges,
    reply: Decoder,
    summary: 'Saves a new version of a decoder; an example that fails refuses it unless overridden. An empty script removes it.',
  }),
  versions: endpoint('GET', at('/versions'), {
    needs: 'view_channel',
    params: ByChannel,
    reply: z.array(DecoderVersion),
    summary: 'Every version of a decoder, newest first.',
  }),
  version: endpoint('GET', at('/versions/:version'), {
    needs: 'view_channel',
    params: ByVersion,
    reply: DecoderVersion.extend({ script: z.string(), examples: z.array(DecoderExample) }),
    summary: 'One version of a decoder.',
  }),
  test: endpoint('POST', at('/test'), {
    needs: 'view_channel',
    params: ByChannel,
    body: DecoderTest,
    reply: DecoderTestReply,
    summary: 'Runs a decoder on some bytes, with what it logs. A script of one’s own needs the right to manage channels.',
  }),
  recent: endpoint('POST', at('/recent'), {
    needs: 'view_channel',
    params: ByChannel,
    body: z.object({ script: Script.optional() }),
    reply: z.array(RecentUplink),
    summary:
      'Runs a decoder on the last 20 messages of bytes that came in, with the variables of their devices; where there are any, that needs the right to manage channels.',
  }),
  rerun: endpoint('POST', at('/rerun'), {
    needs: 'manage_channel',
    params: ByChannel,
    body: RerunRequest,
    reply: z.union([z.object({ job: Job }), RerunPreview]),
    summary: 'Decodes what came in within some days again, as a job; with `preview` it says what that would change.',
  }),
  rerunState: endpoint('GET', at('/rerun'), {
    needs: 'view_channel',
    params: ByChannel,
    reply: Rerun.nullable(),
    summary: 'How far decoding again has come; the last one when none is under way.',
  }),
  cancelRerun: endpoint('DELETE', at('/rerun'), {
    needs: 'manage_channel',
    params: ByChannel,
    reply: Empty,
    summary: 'Stops decoding again; what is done stays done.',
  }),
};
