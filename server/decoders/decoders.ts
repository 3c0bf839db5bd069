import type { Decoder, DecoderChanges, DecoderVersion } from '@telltale/domain/decoders/contract.ts';
import { getChannelRow } from '../channels/channels.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import { findActiveDecoder, findDecoder, findVersion, insertVersion, listVersions, lockDecoderVersion } from './decoders.store.ts';
import type { DecoderPool } from './engine/pool.ts';
import { rerunUndecoded } from './reruns.ts';
import { type ExampleOutcome, runExamples, scriptFault } from './trials.ts';

const none: Decoder = { script: '', examples: [], version: 0, paused_until: null, updated_at: null, updated_by: null };

export async function getDecoder(ctx: UserCtx, channelId: string): Promise<Decoder> {
  const { pk } = await getChannelRow(ctx, channelId);
  return (await findDecoder(ctx.db, pk)) ?? none;
}

/** iot-behaviour 4.2: saving runs the stored examples; a failing one refuses it, unless the user overrides that. */
export async function saveDecoder(ctx: UserCtx, pool: DecoderPool, channelId: string, changes: DecoderChanges): Promise<Decoder> {
  const { pk } = await getChannelRow(ctx, channelId);
  const { script, examples, override } = changes;
  const isEmpty = script.trim() === '';
  if (!isEmpty) await requireRunnable(pool, script);
  const failing = isEmpty ? [] : (await runExamples(pool, script, examples, channelId)).filter(({ is_ok }) => !is_ok);
  if (failing.length > 0 && !override) throw failingExamples(failing);
  await ctx.transaction(async (tx) => {
    const current = await lockDecoderVersion(tx.db, pk);
    if (changes.version !== undefined && changes.version !== current)
      throw conflict(`Somebody saved version ${current} of this decoder meanwhile.`);
    const wasPaused = (await findActiveDecoder(tx.db, pk))?.paused_until ?? null;
    const version = current + 1;
    await insertVersion(tx.db, pk, { version, script, examples, is_overridden: failing.length > 0, created_by: tx.user.id });
    if (wasPaused !== null && !isEmpty) await rerunUndecoded(tx, pk);
    await recordEvent(tx, 'save_decoder', 'channel', channelId, { version, is_overridden: failing.length > 0 });
  });
  return getDecoder(ctx, channelId);
}

/** A script that can never run is not saved, even with override. */
async function requireRunnable(pool: DecoderPool, script: string): Promise<void> {
  const fault = await scriptFault(pool, script);
  if (!fault) return;
  const { message, line, column } = fault;
  const where = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  throw new AppError(400, 'bad_script', `The script cannot be used: ${message}${where}`, {
    body: { error_line: line ?? null, error_column: column ?? null },
  });
}

function failingExamples(failing: ExampleOutcome[]): AppError {
  const names = failing.map(({ name }) => `“${name}”`).join(', ');
  const message = `${failing.length === 1 ? 'The example' : 'The examples'} ${names} ${failing.length === 1 ? 'does' : 'do'} not give what is expected.`;
  return new AppError(400, 'example_failed', message, { body: { examples: failing } });
}

export async function listDecoderVersions(ctx: UserCtx, channelId: string): Promise<DecoderVersion[]> {
  const { pk } = await getChannelRow(ctx, channelId);
  return listVersions(ctx.db, pk);
}

export async function getDecoderVersion(ctx: UserCtx, channelId: string, version: number) {
  const { pk } = await getChannelRow(ctx, channelId);
  const found = await findVersion(ctx.db, pk, version);
  if (!found) throw notFound('Version');
  return found;
}
