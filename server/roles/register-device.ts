import { countDevicesOf, insertDevice } from '../channels/devices.store.ts';
import { newDeviceKey } from '../networks/device-key.ts';
import type { Services } from '../platform/context.ts';
import type { RegisterDevice } from '../uplinks/directory.ts';

/** D5 and design 8: the form of an id. A gateway that names anything else names no device. */
const identifier = /^(?=.{3,36}$)[a-z0-9](?:[-]?[a-z0-9]){2,}$/;

/** iot-behaviour 2.6: devices that one network may create in a channel. */
const mostCreated = 10_000;

/** iot-behaviour 1.10: creates a device that a gateway names for the first time. Two concurrent calls make one device. */
export const registerDevice =
  ({ db, secrets, config }: Services): RegisterDevice =>
  async (channel, device_id, { device_name, dev_eui = null } = {}) => {
    if (!identifier.test(device_id)) return undefined;
    const limit = config.mqtt.channelDevices;
    const most = channel.network_id === null ? limit : Math.min(limit || mostCreated, mostCreated);
    if (most > 0 && (await countDevicesOf(db, channel.pk)) >= most) return 'full';
    await insertDevice(db, channel.pk, { device_id, device_name: device_name || device_id, dev_eui }, newDeviceKey(secrets).record);
    return undefined;
  };
