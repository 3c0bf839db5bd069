import { Button, Select } from 'antd';
import { controlState } from '../../ui/form/controlState.ts';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { useChannelChoices, useDeviceChoices } from '../useTargets.ts';
import type { FieldsProps } from './fieldsProps.ts';

/** A5: a channel and one or more of its devices; another channel clears the devices. */
export function TargetFields({ id, draft, faults, onChange, isReadOnly }: FieldsProps) {
  const channels = useChannelChoices();
  const devices = useDeviceChoices(draft.channel_id);
  const shared = { showSearch: { optionFilterProp: 'label' }, 'aria-required': true } as const;
  const canTakeAll = !isReadOnly && devices.options.length > 1 && draft.device_ids.length < devices.options.length;
  const deviceHint = devices.error?.message ?? (devices.isEmpty ? 'This channel has no devices yet.' : undefined);
  return (
    <>
      <Labelled id={`${id}-channel_id`} label="Channel" isRequired fault={faults.channel_id} info={channels.error?.message}>
        <Select
          {...shared}
          {...controlState(`${id}-channel_id`, faults.channel_id)}
          placeholder="Choose a channel"
          value={draft.channel_id || null}
          loading={channels.isPending}
          disabled={isReadOnly}
          options={channels.options}
          onChange={(channel_id: string) => onChange({ channel_id, device_ids: [], column: '' })}
        />
      </Labelled>
      <Labelled
        id={`${id}-device_ids`}
        label="Devices"
        isRequired
        fault={faults.device_ids}
        info={deviceHint ?? (draft.device_ids.length > 1 ? `${draft.device_ids.length.toLocaleString('en')} devices` : undefined)}
        aside={
          canTakeAll && (
            <Button size="small" type="link" onClick={() => onChange({ device_ids: devices.options.map(({ value }) => value) })}>
              Select all devices
            </Button>
          )
        }
      >
        <Select
          {...shared}
          {...controlState(`${id}-device_ids`, faults.device_ids)}
          mode="multiple"
          maxTagCount="responsive"
          placeholder={draft.channel_id ? 'Choose devices' : 'Choose a channel first'}
          value={[...draft.device_ids]}
          loading={devices.isPending}
          disabled={isReadOnly || draft.channel_id === ''}
          options={devices.options}
          onChange={(device_ids: string[]) => onChange({ device_ids })}
        />
      </Labelled>
    </>
  );
}
