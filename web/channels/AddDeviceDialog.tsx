import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { Field } from '../ui/form/field.ts';
import { identifierField } from './identifierField.ts';
import { deviceAddress, useCreateDevice } from './useChannels.ts';

const fields: readonly Field[] = [
  identifierField('device_id', 'Device ID', 'roof-1'),
  { name: 'device_name', title: 'Device Name', type: 'text', required: true, placeholder: 'Roof, north side', autoComplete: 'off' },
];

/** Screens 14: after creating one goes to the device, where its key is. */
export default function AddDeviceDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const create = useCreateDevice();
  const navigate = useNavigate();
  const [created, setCreated] = useState<string | null>(null);
  return (
    <FormDialog
      title="Add Device"
      okText="Add Device"
      fields={fields}
      waitsForValid
      showsErrors
      onSubmit={async ({ device_id, device_name }) => {
        const body = { device_id: String(device_id), device_name: String(device_name) };
        setCreated((await create.mutateAsync({ params: { id: channelId }, body })).device_id);
      }}
      onClose={() => {
        onClose();
        if (created !== null) navigate(`${deviceAddress(channelId, created)}?tab=settings`);
      }}
    />
  );
}
