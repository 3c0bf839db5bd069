import { hexOf } from '@telltale/domain/commands/bytes.ts';
import { type CommandPayload, readPayload } from '@telltale/domain/commands/payload.ts';
import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';

/** Encodes an object with the channel's own encoder; returns undefined when the channel has none. */
export type EncodeObject = (
  ctx: Ctx,
  channelPk: number,
  value: Record<string, unknown>,
  fport: number,
) => Promise<{ bytes: Uint8Array; fport?: number } | { fault: string } | undefined>;

/** The encoder of each installation that this process serves. */
const encoders = new WeakMap<Ctx['config'], EncodeObject>();

/** Sets the encoder; the app and the roles call it at start-up. */
export function useEncoder({ config }: Pick<Ctx, 'config'>, encode: EncodeObject): void {
  encoders.set(config, encode);
}

/** The encoded payload of a command. */
export interface EncodedPayload {
  encoding: CommandPayload['encoding'];
  bytes: Buffer;
  bytes_hex: string;
  object: Record<string, unknown> | null;
  is_encoded: boolean;
  fport: number;
}

export async function encodePayload(
  ctx: Ctx,
  { payload, channel_pk, fport, isLorawan }: { payload: string; channel_pk: number; fport: number; isLorawan: boolean },
): Promise<EncodedPayload> {
  const read = readPayload(payload, { isLorawan });
  if ('fault' in read) throw invalid(read.fault);
  const plain = (bytes: Uint8Array) => ({ bytes: Buffer.from(bytes), bytes_hex: hexOf(bytes) });
  if (read.payload.encoding !== 'json') {
    const { encoding, bytes } = read.payload;
    return { encoding, ...plain(bytes), object: null, is_encoded: false, fport };
  }
  const { value: object, bytes } = read.payload;
  const encoded = await encoders.get(ctx.config)?.(ctx, channel_pk, object, fport);
  if (encoded && 'fault' in encoded) throw invalid(encoded.fault);
  if (encoded) return { encoding: 'json', ...plain(encoded.bytes), object, is_encoded: true, fport: encoded.fport ?? fport };
  return { encoding: 'json', ...plain(bytes), object, is_encoded: false, fport };
}
