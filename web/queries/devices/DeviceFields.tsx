import { Button, Select } from 'antd';
import { useId } from 'react';
import styles from './Devices.module.css';
import { type Selection, useDeviceChoices } from './useDeviceChoices.ts';

/** The limit of one query (Q7). */
const mostDevices = 500;

interface DeviceFieldsProps {
  value: Selection;
  onChange: (value: Selection) => void;
  isDisabled?: boolean;
}

/** Screens 7: channel, devices, attributes; another channel clears the devices, other devices clear the attributes (Q5). */
export function DeviceFields({ value, onChange, isDisabled = false }: DeviceFieldsProps) {
  const id = useId();
  const { channels, devices, attributes } = useDeviceChoices(value);
  const { channel_id, device_ids } = value;
  const found = devices.data ?? [];
  const shared = { disabled: isDisabled, showSearch: { optionFilterProp: 'label' }, popupMatchSelectWidth: false } as const;
  const many = { ...shared, mode: 'multiple' as const, maxTagCount: 'responsive' as const };
  const chooseDevices = (ids: string[]) => onChange({ channel_id, device_ids: ids, attributes: [] });

  return (
    <>
      <div className={styles.field}>
        <label htmlFor={`${id}-channel`}>Channel</label>
        <Select
          {...shared}
          id={`${id}-channel`}
          placeholder="Choose a channel"
          value={channel_id || null}
          loading={channels.isPending}
          options={(channels.data ?? []).map((channel) => ({
            value: channel.channel_id,
            label: channel.channel_name || channel.channel_id,
          }))}
          onChange={(next: string) => onChange({ channel_id: next, device_ids: [], attributes: [] })}
        />
        <Hint>{channels.error?.message}</Hint>
      </div>
      <div className={styles.field}>
        <span className={styles.head}>
          <label htmlFor={`${id}-devices`}>Devices</label>
          {!isDisabled && found.length > 1 && found.length <= mostDevices && device_ids.length < found.length && (
            <Button size="small" type="link" onClick={() => chooseDevices(found.map(({ device_id }) => device_id))}>
              Select all devices
            </Button>
          )}
        </span>
        <Select
          {...many}
          id={`${id}-devices`}
          placeholder={channel_id ? 'Choose devices' : 'Choose a channel first'}
          disabled={isDisabled || channel_id === ''}
          value={device_ids}
          loading={channel_id !== '' && devices.isPending}
          options={found.map(({ device_id, device_name }) => ({ value: device_id, label: device_name || device_id }))}
          onChange={chooseDevices}
        />
        <Hint>{devices.error?.message ?? (devices.data?.length === 0 && 'No device has joined this channel yet.')}</Hint>
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-attributes`}>Attributes</label>
        <Select
          {...many}
          id={`${id}-attributes`}
          placeholder={device_ids.length > 0 ? 'Choose attributes' : 'Choose devices first'}
          disabled={isDisabled || device_ids.length === 0}
          value={value.attributes}
          loading={attributes.isPending}
          options={attributes.names.map((name) => ({ value: name, label: name }))}
          onChange={(names: string[]) => onChange({ ...value, attributes: names })}
        />
        <Hint>
          {attributes.error?.message ??
            (device_ids.length > 0 &&
              !attributes.isPending &&
              attributes.names.length === 0 &&
              'These devices have not reported anything yet: their attributes appear with the first uplink.')}
        </Hint>
      </div>
    </>
  );
}

const Hint = ({ children }: { children?: string | false | undefined }) =>
  children ? (
    <span className={styles.hint} role="status">
      {children}
    </span>
  ) : null;
