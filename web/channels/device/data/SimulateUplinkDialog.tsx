import { type DeviceDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import { encodingFault, type PayloadEncoding, payloadEncodings } from '@telltale/domain/channels/simulation-contract.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { useState } from 'react';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import type { Field } from '../../../ui/form/field.ts';
import { deviceAt } from '../../useChannels.ts';
import { uplinkExample } from './uplinkExample.ts';
import { useSimulateUplink } from './useDeviceData.ts';

const names: Readonly<Record<PayloadEncoding, string>> = { json: 'JSON', text: 'Text', hex: 'Hex', base64: 'Base64' };

interface SimulateUplinkDialogProps {
  device: DeviceDetail;
  /** What the device reported, for an example to begin with. */
  values: readonly LastValue[];
  records: readonly UplinkRecord[];
  onClose: () => void;
}

/** iot-behaviour 5.1: sends a payload in place of the device; a refusal is told here. */
export default function SimulateUplinkDialog({ device, values, records, onClose }: SimulateUplinkDialogProps) {
  const simulate = useSimulateUplink();
  const isRadio = isLorawan(device.channel_kind);
  // The example stays as it is while the device goes on reporting.
  const [example] = useState(() => uplinkExample(isRadio, values, records));
  const fields: readonly Field[] = [
    {
      name: 'payload',
      title: 'Payload',
      type: 'textarea',
      required: true,
      autoFocus: true,
      initialValue: example.payload,
      info: 'It is stored as if the device had sent it: charts, alerts and commands follow it.',
      fault: (payload, { encoding }) => encodingFault(String(payload), encoding as PayloadEncoding),
    },
    {
      name: 'encoding',
      title: 'Format',
      type: 'select',
      required: true,
      initialValue: example.encoding,
      options: payloadEncodings.map((value) => ({ value, name: names[value] })),
      info: 'The decoder of the channel reads all but JSON.',
    },
    {
      name: 'fport',
      title: 'FPort',
      type: 'number',
      required: true,
      isWhole: true,
      range: { min: 1, max: 223 },
      initialValue: example.fport,
      autoComplete: 'off',
      extra: !isRadio,
      info: 'The port that the decoder is told; JSON has none.',
    },
  ];
  return (
    <FormDialog
      title="Simulate Uplink"
      okText="Simulate Uplink"
      fields={fields}
      showsErrors
      onSubmit={({ payload, encoding, fport }) =>
        simulate.mutateAsync({
          params: deviceAt(device),
          body: { payload: String(payload), encoding: encoding as PayloadEncoding, fport: Number(fport) },
        })
      }
      onClose={onClose}
    />
  );
}
