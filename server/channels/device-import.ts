import { identifierFault } from '@telltale/domain/channels/identifiers.ts';
import { type DeviceImport, ImportedDevice, type ImportedDevices, type ImportFault } from '@telltale/domain/channels/import-contract.ts';
import { z } from 'zod';
import { recordEvent } from '../events/events.ts';
import { newDeviceKey } from '../networks/device-key.ts';
import type { UserCtx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { AppError, conflict } from '../platform/errors.ts';
import { faultText } from '../platform/http/parse.ts';
import { getChannelRow } from './channels.ts';
import { insertDevices, listDevicesByPk, listTaken } from './devices.store.ts';
import { deviceReply, takenEuiMessage, takenIdMessage } from './devices.ts';

/** A row of the call that can be read; rows count from 1. */
interface Row {
  row: number;
  device_id: string;
  device_name: string;
  dev_eui: string | null;
  tags: string[];
}

/** iot-behaviour 5.2: all devices or none, and every wrong row is named; a dry run finds the same faults. */
export async function importDevices(ctx: UserCtx, channelId: string, { devices, dry_run }: DeviceImport): Promise<ImportedDevices> {
  const { pk } = await getChannelRow(ctx, channelId);
  const { rows, faults } = readRows(devices);
  refuse([...faults, ...(await takenFaults(ctx.db, pk, rows))]);
  if (dry_run) return { created: 0, devices: [] };
  return ctx.transaction(async (tx) => {
    const pks = await insertDevices(
      tx.db,
      pk,
      rows.map(({ row: _, ...device }) => ({ ...device, ...newDeviceKey(ctx.secrets).record })),
    );
    if (pks.length < rows.length) {
      // Somebody deleted the channel or took an id since the rows were checked.
      await getChannelRow(tx, channelId);
      refuse(await takenFaults(tx.db, pk, rows, pks));
      throw conflict('Somebody changed the devices of this channel at the same moment. Please try again.');
    }
    await recordEvent(tx, 'import', 'device', channelId, { devices: pks.length });
    const made = new Map((await listDevicesByPk(tx.db, pks)).map((row) => [row.device_id, deviceReply(ctx, channelId, row)]));
    return { created: pks.length, devices: rows.flatMap(({ device_id }) => made.get(device_id) ?? []) };
  });
}

function refuse(faults: readonly ImportFault[]): void {
  const errors = faults.toSorted((a, b) => a.row - b.row);
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` There are ${errors.length} faults.` : '';
  throw new AppError(400, 'invalid', `No device was created. Row ${first.row}: ${first.message}${more}`, { body: { errors } });
}

/** Reads each row as the body of creating one device, and finds ids and DevEUIs that are given twice. */
function readRows(devices: readonly unknown[]): { rows: Row[]; faults: ImportFault[] } {
  const rows: Row[] = [];
  const faults: ImportFault[] = [];
  const [ids, euis] = [new Set<string>(), new Set<string>()];
  for (const [at, device] of devices.entries()) {
    const row = at + 1;
    const parsed = ImportedDevice.safeParse(device);
    if (!parsed.success) {
      faults.push(...schemaFaults(row, parsed.error));
      continue;
    }
    const { device_id, device_name, dev_eui, tags = [] } = parsed.data;
    const idFault = identifierFault(device_id) ?? (ids.has(device_id) ? `The id "${device_id}" is given more than once.` : null);
    const euiFault = dev_eui !== null && euis.has(dev_eui) ? `The DevEUI ${dev_eui} is given more than once.` : null;
    if (idFault) faults.push({ row, field: 'device_id', message: idFault });
    if (euiFault) faults.push({ row, field: 'dev_eui', message: euiFault });
    ids.add(device_id);
    if (dev_eui !== null) euis.add(dev_eui);
    if (!idFault && !euiFault) rows.push({ row, device_id, device_name: device_name || device_id, dev_eui, tags });
  }
  return { rows, faults };
}

/** Each field once, in the words of creating one device. */
function schemaFaults(row: number, { issues }: z.ZodError): ImportFault[] {
  const byField = new Map<string, ImportFault>();
  for (const issue of issues) {
    const field = String(issue.path[0]);
    if (!byField.has(field)) byField.set(field, { row, field, message: faultText(new z.ZodError([issue])) });
  }
  return [...byField.values()];
}

/** The rows whose id or DevEUI a device of the channel has already, except those that were made just now. */
async function takenFaults(db: Db, channelPk: number, rows: readonly Row[], madePks: readonly number[] = []): Promise<ImportFault[]> {
  const givenEuis = rows.flatMap(({ dev_eui }) => dev_eui ?? []);
  const givenIds = rows.map(({ device_id }) => device_id);
  const taken = await listTaken(db, channelPk, givenIds, givenEuis, madePks);
  const [ids, euis] = [new Set(taken.map(({ device_id }) => device_id)), new Set(taken.map(({ dev_eui }) => dev_eui))];
  return rows.flatMap(({ row, device_id, dev_eui }): ImportFault[] => {
    if (ids.has(device_id)) return [{ row, field: 'device_id', message: takenIdMessage(device_id) }];
    if (dev_eui !== null && euis.has(dev_eui)) return [{ row, field: 'dev_eui', message: takenEuiMessage(dev_eui) }];
    return [];
  });
}
