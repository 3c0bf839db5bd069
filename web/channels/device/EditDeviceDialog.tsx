import { type DeviceDetail, onlineWindow } from '@telltale/domain/channels/contract.ts';
import { readVariables, variablesText } from '@telltale/domain/channels/variables.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import type { Field } from '../../ui/form/field.ts';
import { deviceAt, useSaveDevice } from '../useChannels.ts';

const fieldsOf = ({ name, online_window_seconds, variables }: DeviceDetail): readonly Field[] => [
  { name: 'device_name', title: 'Device Name', type: 'text', required: true, initialValue: name, autoComplete: 'off' },
  {
    name: 'online_window_minutes',
    title: 'Online Window (minutes)',
    type: 'number',
    range: { min: onlineWindow.least / 60, max: onlineWindow.most / 60 },
    initialValue: online_window_seconds === null ? null : online_window_seconds / 60,
    info: 'How long it counts as online after a message while it has no connection. Empty: learned from the gaps between its messages.',
  },
  {
    name: 'variables',
    title: 'Variables',
    type: 'textarea',
    initialValue: variablesText(variables),
    placeholder: 'offset = -1.5',
    info: 'One to a line. The decoder of the channel gets them as input.variables.',
    fault: (text) => {
      const read = readVariables(String(text ?? ''));
      return 'fault' in read ? read.fault : null;
    },
  },
];

/** What people may change about a device; its id and its key are not among it. */
export default function EditDeviceDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const save = useSaveDevice();
  return (
    <FormDialog
      title="Edit Device"
      okText="Save"
      fields={fieldsOf(device)}
      onSubmit={({ device_name, online_window_minutes, variables }) => {
        const read = readVariables(String(variables ?? ''));
        return save.mutateAsync({
          params: deviceAt(device),
          body: {
            device_name: String(device_name),
            online_window_seconds: online_window_minutes == null ? null : Math.round(Number(online_window_minutes) * 60),
            ...('variables' in read ? { variables: read.variables } : {}),
          },
        });
      }}
      onClose={onClose}
    />
  );
}
