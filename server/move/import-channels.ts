import { AttributeChanges } from '@telltale/domain/channels/attributes-contract.ts';
import { DeviceChanges, NewChannel, NewDevice, SettingChanges } from '@telltale/domain/channels/contract.ts';
import { DeviceLayout } from '@telltale/domain/channels/data-contract.ts';
import { DecoderChanges } from '@telltale/domain/decoders/contract.ts';
import type { MovedChannel } from '@telltale/domain/move/contract.ts';
import type { NetworkName } from '@telltale/domain/networks/contract.ts';
import type { PointKind } from '@telltale/domain/uplinks/record.ts';
import { z } from 'zod';
import { addAttribute } from '../channels/attributes.ts';
import { createChannel, requireIdentifier, saveChannel } from '../channels/channels.ts';
import { saveLayout } from '../channels/device-data.ts';
import { createDevice, saveDevice, takenEuiMessage } from '../channels/devices.ts';
import { saveDecoder } from '../decoders/decoders.ts';
import type { DecoderPool } from '../decoders/engine/pool.ts';
import { listNames } from '../network-servers/network-servers.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { checked, checkedSettings } from './checked.ts';
import { noId } from './move.store.ts';
import { deviceName, type ReportBuilder } from './report-builder.ts';

/** An id of a network would mean another network here. */
const FileSettings = SettingChanges.omit({ network_id: true });
/** Variables may hold secrets, so files have none, and none is taken from a file that was changed by hand. */
const FileDeviceSettings = DeviceChanges.pick({ tags: true, online_window_seconds: true });
const kinds: readonly PointKind[] = ['n', 'b', 's', 'j'];
const FileAttribute = AttributeChanges.extend({ kind: z.enum(kinds, 'The kind of an attribute is n, b, s or j.') });
const FileDecoder = DecoderChanges.pick({ script: true, examples: true }).extend({ is_overridden: z.boolean().default(false) });

/** Makes the channels of a file. A setting that is not allowed here is noted, and its channel or device is made without it. */
export class ChannelImporter {
  readonly #ctx: UserCtx;
  readonly #report: ReportBuilder;
  readonly #decoders: DecoderPool;
  #networks: readonly NetworkName[] = [];

  constructor(ctx: UserCtx, report: ReportBuilder, decoders: DecoderPool) {
    this.#ctx = ctx;
    this.#report = report;
    this.#decoders = decoders;
  }

  async run(channels: readonly MovedChannel[]): Promise<void> {
    this.#networks = await listNames(this.#ctx);
    for (const channel of channels) await this.#channel(channel);
  }

  /** The network comes last: with it messages come in, which need the devices and the decoder. */
  async #channel(channel: MovedChannel): Promise<void> {
    const { channel_id, channel_name, kind, is_disabled, network } = channel;
    const { settings, faults } = checkedSettings(FileSettings, channel.settings);
    const check = () => checked(NewChannel, { channel_id, channel_name, kind, settings });
    const preview = () => {
      requireIdentifier(check().channel_id);
      return noId;
    };
    const made = await this.#report.make('channel', channel_id, preview, async () => {
      await createChannel(this.#ctx, check(), { mayLackNetwork: network !== undefined });
      if (is_disabled) await saveChannel(this.#ctx, channel_id, { is_disabled });
      return noId;
    });
    if (!made?.isNew) return;
    for (const fault of faults) this.#report.note('channel', channel_id, fault);
    await this.#decoder(channel);
    for (const attribute of channel.attributes) await this.#attribute(channel_id, attribute);
    const euis = new Set<string>();
    for (const device of channel.devices) await this.#device(channel_id, device, euis);
    await this.#network(channel);
  }

  async #decoder({ channel_id, decoder }: MovedChannel): Promise<void> {
    if (!decoder) return;
    await this.#report.takePart(
      'channel',
      channel_id,
      async () => {
        const { is_overridden: override, ...rest } = checked(FileDecoder, decoder);
        if (!this.#report.preview) await saveDecoder(this.#ctx, this.#decoders, channel_id, { ...rest, override });
      },
      (reason) => `Its decoder was not taken over. ${reason}`,
    );
  }

  async #attribute(channelId: string, given: MovedChannel['attributes'][number]): Promise<void> {
    const name = typeof given.attribute === 'string' ? given.attribute.slice(0, 60) : 'without a name';
    await this.#report.takePart(
      'channel',
      channelId,
      async () => {
        const attribute = checked(FileAttribute, given);
        if (!this.#report.preview) await addAttribute(this.#ctx, channelId, attribute);
      },
      (reason) => `The attribute ${name} was not taken over. ${reason}`,
    );
  }

  async #device(
    channelId: string,
    { settings: given, layout, ...device }: MovedChannel['devices'][number],
    euis: Set<string>,
  ): Promise<void> {
    const at = { id: channelId, deviceId: device.device_id };
    const name = deviceName(channelId, device.device_id);
    const { settings, faults } = checkedSettings(FileDeviceSettings, given);
    const { tags, online_window_seconds } = settings;
    const check = () => checked(NewDevice, { ...device, tags });
    const preview = () => {
      const { device_id, dev_eui } = check();
      requireIdentifier(device_id);
      if (dev_eui !== null && euis.has(dev_eui)) throw invalid(takenEuiMessage(dev_eui));
      if (dev_eui !== null) euis.add(dev_eui);
      return noId;
    };
    const made = await this.#report.make('device', name, preview, async () => {
      await createDevice(this.#ctx, channelId, check());
      if (online_window_seconds != null) await saveDevice(this.#ctx, at, { online_window_seconds });
      return noId;
    });
    if (!made?.isNew) return;
    for (const fault of faults) this.#report.note('device', name, fault);
    if (!layout) return;
    await this.#report.takePart(
      'device',
      name,
      async () => {
        const arranged = checked(DeviceLayout, layout);
        if (!this.#report.preview) await saveLayout(this.#ctx, at, arranged);
      },
      (reason) => `Its dashboard was not taken over. ${reason}`,
    );
  }

  async #network({ channel_id, network }: MovedChannel): Promise<void> {
    if (!network) return;
    await this.#report.takePart(
      'channel',
      channel_id,
      async () => {
        const found = this.#networks.find(({ name, type }) => name === network.name && type === network.type);
        if (!found) throw invalid(`There is no network "${network.name}" of the type ${network.type} here.`);
        if (!this.#report.preview) await saveChannel(this.#ctx, channel_id, { network_id: found.id });
      },
      (reason) => `It was not bound to its network. ${reason}`,
    );
  }
}
