import { insertDevice } from '../channels/devices.store.ts';
import { newDeviceKey } from '../networks/device-key.ts';
import type { Services } from '../platform/context.ts';
import type { RegisterDevice } from '../uplinks/directory.ts';

/** D5 and design 8: what an id looks like. A gateway that names anything else names no device. */
const identifier = /^(?=.{3,36}$)[a-z0-9](?:[-]?[a-z0-9]){2,}$/;

/** iot-behaviour 1.10: a device that a gateway names for the first time. Two at once make one. */
export const registerDevice =
  ({ db, secrets }: Services): RegisterDevice =>
  async (channel, device_id) => {
    if (!identifier.test(device_id)) return;
    await insertDevice(db, channel.pk, { device_id, device_name: device_id }, newDeviceKey(secrets).record);
  };
