import { breakerLimits } from '@telltale/domain/decoders/limits.ts';
import type { Decoded, DecodeRequest, Encoded, EncodeRequest, PayloadDecoder } from '../networks/uplink-decoder.ts';
import type { Services } from '../platform/context.ts';
import { listen } from '../platform/jobs/listen.ts';
import { oldestPoint } from '../uplinks/storage/flush-rows.ts';
import { Breaker } from './breaker.ts';
import { encodeInput, uplinkInput } from './call-input.ts';
import { decodedPoints } from './decoded-points.ts';
import { type ActiveDecoder, findActiveDecoder } from './decoders.store.ts';
import { readAnswer } from './engine/answer.ts';
import { DecoderPool } from './engine/pool.ts';
import { openCircuit } from './open-circuit.ts';
import { seriesNotice } from './reruns.store.ts';

const decoderNotice = 'telltale_decoders';
const againMs = 2000;

export interface RunningDecoder extends PayloadDecoder {
  /** The threads that run scripts, for trials of unsaved scripts. */
  pool: DecoderPool;
  stop(): Promise<void>;
}

const keyOf = ({ channel_pk, version }: ActiveDecoder) => `${channel_pk}/${version}`;
const pausedError = 'decoder_paused: The decoder is paused because it took too long too often. The message will be decoded later.';

/** Decodes with the scripts of all channels. There is one per process; it caches scripts until they change. */
export function createPayloadDecoder(services: Services): RunningDecoder {
  const { db, databaseUrl, log } = services;
  const pool = new DecoderPool();
  const breaker = new Breaker();
  /** Decoders by channel; null when a channel has none. */
  const known = new Map<number, ActiveDecoder | null>();
  const asking = new Map<number, Promise<ActiveDecoder | null>>();
  /** The ends of pauses that are not in the database yet, by decoder: a decoder read meanwhile is paused as well. */
  const pausing = new Map<string, number>();
  const listeners = new Set<(devicePk: number, attributeIds: number[]) => void>();
  let generation = 0;
  let isStopped = false;

  const forget = (channelPk?: number) => {
    generation++;
    asking.clear();
    if (channelPk === undefined) known.clear();
    else known.delete(channelPk);
  };
  const tellGone = (payload: string) => {
    const [device = 0, ...attributes] = payload.split(' ').map(Number);
    for (const tell of listeners) tell(device, attributes);
  };
  const listener = listen(databaseUrl, { [decoderNotice]: (pk) => forget(Number(pk)), [seriesNotice]: tellGone }, () => forget(), log);

  const find = (channelPk: number): Promise<ActiveDecoder | null> => {
    const found = known.get(channelPk);
    if (found !== undefined) return Promise.resolve(found);
    const asked = asking.get(channelPk);
    if (asked) return asked;
    const begun = generation;
    const question = findActiveDecoder(db, channelPk)
      .then((row) => {
        const active = row && row.script.trim() !== '' ? row : null;
        if (begun === generation) known.set(channelPk, active);
        return active;
      })
      .finally(() => asking.delete(channelPk));
    asking.set(channelPk, question);
    return question;
  };

  const isPaused = (active: ActiveDecoder) =>
    Math.max(pausing.get(keyOf(active)) ?? 0, active.paused_until === null ? 0 : Date.parse(active.paused_until)) > Date.now();

  /** Pauses a decoder: waiting messages stay undecoded, and other processes learn of it from the row. */
  const pause = (active: ActiveDecoder) => {
    const key = keyOf(active);
    const until = Date.now() + breakerLimits.pauseMs;
    active.paused_until = new Date(until).toISOString();
    pausing.set(key, until);
    pool.drop(key, { fault: { code: 'decoder_timeout', message: 'The decoder takes too long and is paused.' }, ms: 0 });
    // The pause has to be stored, because the job that decodes its messages afterwards is queued with it.
    const store = (): Promise<void> =>
      openCircuit(services, active).then(
        () => {
          pausing.delete(key);
          forget(active.channel_pk);
        },
        (error: Error) => {
          log.error({ err: error, channel: active.channel_pk }, 'a decoder could not be paused');
          if (Date.now() < until && !isStopped) setTimeout(store, againMs).unref();
        },
      );
    void store();
  };

  const decodeWith = async (active: ActiveDecoder, request: DecodeRequest): Promise<Decoded | 'busy'> => {
    const { device, fport, bytes, receivedAt } = request;
    const undecoded = { version: active.version, points: [], position: null, warnings: [] };
    if (isPaused(active)) return { ...undecoded, errors: [pausedError] };
    const names = { channel_id: device.channel.channel_id, device_id: device.device_id, dev_eui: device.dev_eui };
    const { variables } = device;
    const input = uplinkInput({ bytes, fport, receivedAtMs: Math.floor(receivedAt / 1000), device: names, variables });
    const answer = readAnswer(await pool.run(keyOf(active), active.script, { command: 'decodeUplink', input, withLog: false }));
    if (answer.fault?.code === 'decoder_busy') return 'busy';
    if (answer.fault?.code === 'decoder_timeout' && !isPaused(active) && breaker.isTooMuch(keyOf(active))) pause(active);
    return decodedPoints(answer, active.version, receivedAt, oldestPoint(receivedAt));
  };

  return {
    pool,
    onSeriesGone: (tell) => void listeners.add(tell),
    mayDecode: (channelPk) => known.get(channelPk) !== null,
    async decode(request) {
      const active = await find(request.device.channel.pk);
      return active && decodeWith(active, request);
    },
    encode: async (request) => {
      const active = await find(request.channel_pk);
      return active && encodeWith(pool, active, request);
    },
    async stop() {
      isStopped = true;
      await listener.stop();
      await pool.stop();
    },
  };
}

async function encodeWith(pool: DecoderPool, active: ActiveDecoder, { data, fport, variables }: EncodeRequest): Promise<Encoded | null> {
  const input = encodeInput(data, fport, variables);
  const answer = readAnswer(await pool.run(keyOf(active), active.script, { command: 'encodeDownlink', input, withLog: false }));
  if (answer.fault?.code === 'decoder_missing') return null;
  // The codes tell kinds of messages in the log apart; a person who sends a command reads the sentence.
  if (answer.errors.length > 0 || !answer.bytes)
    return { errors: answer.errors.map((error) => error.replace(/^decoder_\w+: /, '')), isBusy: answer.fault?.code === 'decoder_busy' };
  return { bytes: Buffer.from(answer.bytes), fport: answer.fPort ?? fport, warnings: answer.warnings };
}
