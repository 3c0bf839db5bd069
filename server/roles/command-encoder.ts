import type { ObjectEncoder } from '../commands/encoder.ts';
import type { PayloadDecoder } from '../networks/uplink-decoder.ts';

/** iot-behaviour 2.7: an object for a device goes through `encodeDownlink` of its channel, where there is one. */
export const commandEncoder = (decoder: PayloadDecoder): ObjectEncoder => ({
  mayEncode: (channelPk) => decoder.mayDecode(channelPk),
  async encode(object) {
    const encoded = await decoder.encode(object);
    if (!encoded) return undefined;
    if ('errors' in encoded) {
      const { errors, isBusy } = encoded;
      return { fault: `The encoder of the channel cannot encode this: ${errors.join('; ')}`, isBusy };
    }
    return { bytes: encoded.bytes, fport: encoded.fport };
  },
});
