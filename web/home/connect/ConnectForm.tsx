import { identifierFrom } from '@telltale/domain/channels/identifiers.ts';
import { Button } from 'antd';
// The one of 'antd' brings text areas, searches and one-time codes along.
import Input from 'antd/es/input/Input';
import { type FormEvent, useId, useState } from 'react';
import styles from './Connect.module.css';
import { useConnect } from './useConnect.ts';

interface ConnectFormProps {
  onMade: (at: { channel_id: string; device_id: string }) => void;
}

/** Both names have defaults: pressing the button is enough. */
export function ConnectForm({ onMade }: ConnectFormProps) {
  const id = useId();
  const [channel, setChannel] = useState('My sensors');
  const [device, setDevice] = useState('Sensor 1');
  const { connect, isBusy, fault } = useConnect(onMade);
  const ids = { channel: identifierFrom(channel) || 'my-sensors', device: identifierFrom(device) || 'sensor-1' };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void connect({ channel_name: channel.trim() || 'My sensors', device_name: device.trim() || 'Sensor 1', ids });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.fields}>
        <div className={styles.field}>
          <label htmlFor={`${id}-channel`}>Channel name</label>
          <Input
            id={`${id}-channel`}
            value={channel}
            maxLength={255}
            autoComplete="off"
            onChange={({ target }) => setChannel(target.value)}
          />
          <span className={styles.hint}>
            A channel holds devices of one kind. ID <code>{ids.channel}</code>
          </span>
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-device`}>Device name</label>
          <Input id={`${id}-device`} value={device} maxLength={255} autoComplete="off" onChange={({ target }) => setDevice(target.value)} />
          <span className={styles.hint}>
            It gets a key of its own. ID <code>{ids.device}</code>
          </span>
        </div>
      </div>
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <Button type="primary" htmlType="submit" loading={isBusy}>
        Create channel and device
      </Button>
    </form>
  );
}
