import type { EncodeObject } from '../commands/encoder.ts';
import type { PayloadDecoder } from '../networks/uplink-decoder.ts';

/** iot-behaviour 2.7: an object for a device goes through `encodeDownlink` of its channel, where there is one. */
export const commandEncoder =
  (decoder: PayloadDecoder): EncodeObject =>
  async (_ctx, channel_pk, data, fport) => {
    const encoded = await decoder.encode({ channel_pk, data, fport });
    if (!encoded) return undefined;
    if ('errors' in encoded) return { fault: `The encoder of the channel cannot encode this: ${encoded.errors.join('; ')}` };
    return { bytes: encoded.bytes, fport: encoded.fport };
  };
