import { noConnectionMessage } from '../api/ApiError.ts';
import type { UplinkFeed } from '../visualizations/live-uplink/uplinkFeed.ts';

/** Few pages show live data: the code of the socket and the contracts are loaded by the first one that does. */
const loadSource = async () => (await import('./uplinkSource.ts')).uplinkSource;

/** The data of live visualizations, and the choices of their editors. */
export const uplinkFeed: UplinkFeed = {
  start: (request, listener) => {
    let stop: (() => void) | undefined;
    let isEnded = false;
    loadSource().then(
      (source) => {
        if (!isEnded) stop = source.start(request, listener);
      },
      () => !isEnded && listener.onRefused(noConnectionMessage),
    );
    return () => {
      isEnded = true;
      stop?.();
    };
  },
  listChannels: async () => (await loadSource()).listChannels(),
  listDevices: async (channel) => (await loadSource()).listDevices(channel),
};
