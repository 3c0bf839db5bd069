import { deviceAddress } from '@telltale/domain/channels/address.ts';
import { type Channel, type ChannelKind, isLorawan } from '@telltale/domain/channels/contract.ts';
import { euiMessage, readEui } from '@telltale/domain/lorawan/eui.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field, FieldValue } from '../ui/form/field.ts';
import { identifierField } from './identifierField.ts';
import { useCreateDevice } from './useChannels.ts';

const fields: readonly Field[] = [
  identifierField('device_id', 'Device ID', 'roof-1'),
  { name: 'device_name', title: 'Device Name', type: 'text', required: true, placeholder: 'Roof, north side', autoComplete: 'off' },
];

const euiField = (isForSome: boolean, takesEui: (channelId: FieldValue) => boolean): Field => ({
  name: 'dev_eui',
  title: 'DevEUI',
  type: 'text',
  placeholder: '0004A30B001C0530',
  autoComplete: 'off',
  info: `By this its uplinks are recognized.${isForSome ? ' Only for LoRaWAN channels.' : ''}`,
  fault: (value, { channel_id }) => (value && takesEui(channel_id) && readEui(value) === null ? euiMessage : null),
});

const channelField = (channels: readonly Pick<Channel, 'channel_id' | 'channel_name'>[], first: string): Field => ({
  name: 'channel_id',
  title: 'Channel',
  type: 'select',
  required: true,
  initialValue: first,
  options: channels.map(({ channel_id, channel_name }) => ({ value: channel_id, name: channel_name || channel_id })),
});

interface AddDeviceDialogProps {
  channelId: string;
  kind: ChannelKind;
  /** The channels to choose from, where none is given. */
  channels?: readonly Pick<Channel, 'channel_id' | 'channel_name' | 'kind'>[];
  onClose: () => void;
}

/** Screens 14: leads to the new device, where its key is. */
export default function AddDeviceDialog({ channelId, kind, channels, onClose }: AddDeviceDialogProps) {
  const create = useCreateDevice();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ channel_id: string; device_id: string } | null>(null);
  const kindOf = (id: string) => channels?.find(({ channel_id }) => channel_id === id)?.kind ?? kind;
  const takesEui = (id: FieldValue) => isLorawan(kindOf(String(id)));
  const kinds = channels?.map((channel) => channel.kind) ?? [kind];
  // The fields of a form are fixed, so the DevEUI is offered where any of the channels takes one.
  const all = kinds.some(isLorawan) ? [...fields, euiField(!kinds.every(isLorawan), takesEui)] : fields;
  return (
    <FormDialog
      title="Add Device"
      okText="Add Device"
      fields={channels ? [channelField(channels, channelId), ...all] : all}
      waitsForValid
      showsErrors
      onSubmit={async ({ channel_id = channelId, device_id, device_name, dev_eui }) => {
        const eui = dev_eui && takesEui(channel_id) ? String(dev_eui) : null;
        const body = { device_id: String(device_id), device_name: String(device_name), dev_eui: eui };
        setCreated(await create.mutateAsync({ params: { id: String(channel_id) }, body }));
      }}
      onClose={() => {
        onClose();
        if (created) navigate(`${deviceAddress(created.channel_id, created.device_id, kindOf(created.channel_id))}?tab=settings`);
      }}
    />
  );
}
