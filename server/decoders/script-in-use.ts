import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { type ActiveDecoder, findActiveDecoder } from './decoders.store.ts';

/** Returns the decoder of a channel, or fails when there is none. An empty script counts as none. */
export async function getActiveDecoder(ctx: Ctx, channelPk: number): Promise<ActiveDecoder> {
  const active = await findActiveDecoder(ctx.db, channelPk);
  if (!active || active.script.trim() === '') throw invalid('The channel has no decoder.');
  return active;
}
