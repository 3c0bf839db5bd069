import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { ByChannel, Device, deviceName, NewDevice } from './contract.ts';

/** iot-behaviour 5.2: the devices of one call. */
export const mostImported = 1000;
const tooMany = `At most ${mostImported.toLocaleString('en')} devices are created by one call.`;

/** One row: what creating one device takes, but a device without a name goes by its id. */
export const ImportedDevice = NewDevice.extend({ device_name: deviceName.nullish() });
export type ImportedDevice = z.input<typeof ImportedDevice>;

/** Rows are read one by one by the server, so that the answer names every wrong one. */
export const DeviceImport = z.object({
  devices: z.array(z.record(z.string(), z.unknown()), 'Devices are required.').min(1, 'Devices are required.').max(mostImported, tooMany),
  /** Everything is checked and nothing is written. */
  dry_run: z.boolean().default(false),
});
export type DeviceImport = z.output<typeof DeviceImport>;

/** A fault of one row, counted from 1; it stands in `errors` of a refusal. */
export const ImportFault = z.object({ row: z.int(), field: z.string().optional(), message: z.string() });
export type ImportFault = z.infer<typeof ImportFault>;

/** Devices are in the order of the rows; a dry run creates none. */
export const ImportedDevices = z.object({ created: z.int(), devices: z.array(Device) });
export type ImportedDevices = z.infer<typeof ImportedDevices>;

export const deviceImportApi = {
  /** Not below /devices, where every word may be the id of one. */
  run: endpoint('POST', '/api/channels/:id/import_devices', {
    needs: 'manage_channel',
    params: ByChannel,
    body: DeviceImport,
    reply: ImportedDevices,
    summary:
      'Adds up to 1,000 devices with keys of their own, all or none; `errors` of a refusal names every wrong row. `dry_run` only checks.',
  }),
};
