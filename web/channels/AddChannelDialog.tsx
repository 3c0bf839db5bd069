import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import { identifierField } from './identifierField.ts';
import { useCreateChannel } from './useChannels.ts';

const fields: readonly Field[] = [
  identifierField('channel_id', 'Channel ID', 'weather-stations'),
  { name: 'channel_name', title: 'Channel Name', type: 'text', placeholder: 'Weather stations', autoComplete: 'off' },
  {
    name: 'kind',
    title: 'Kind',
    type: 'select',
    required: true,
    initialValue: 'mqtt',
    options: [
      { value: 'mqtt', name: 'MQTT' },
      { value: 'http', name: 'HTTP' },
    ],
    info: 'MQTT: devices report by themselves, over MQTT or HTTP. HTTP: a network of the type HTTP uplink can report for them as well.',
  },
];

/** Leads to the new channel, to add devices. */
export default function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateChannel();
  const navigate = useNavigate();
  const [created, setCreated] = useState<string | null>(null);
  return (
    <FormDialog
      title="Add Channel"
      okText="Add Channel"
      fields={fields}
      waitsForValid
      showsErrors
      onSubmit={async ({ channel_id, channel_name, kind }) => {
        const body = {
          channel_id: String(channel_id),
          channel_name: String(channel_name ?? ''),
          kind: kind === 'http' ? ('http' as const) : ('mqtt' as const),
        };
        setCreated((await create.mutateAsync({ body })).channel_id);
      }}
      onClose={() => {
        onClose();
        if (created !== null) navigate(`/mqtt/${created}`);
      }}
    />
  );
}
