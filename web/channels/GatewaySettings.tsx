import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { Button, Switch } from 'antd';
import { type ReactNode, useId } from 'react';
import { useCan } from '../api/session.ts';
import { CopyField } from '../ui/CopyField.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Section } from '../ui/Section.tsx';
import styles from './Channels.module.css';
import { useRemoveChannelKey, useRotateChannelKey, useSaveChannel } from './useChannels.ts';

/** iot-behaviour 1.2 and 1.3: the settings for gateways and foreign firmware. */
export function GatewaySettings({ channel }: { channel: ChannelDetail }) {
  const { channel_id } = channel;
  return (
    <>
      <Section level={2} title="Gateway key">
        <p className={styles.hint}>
          A gateway or bridge reports for every device of this channel: it signs in with the user name <code>{channel_id}</code> and this
          key, and publishes to <code>v1/{channel_id}/devices/…/up</code>.
        </p>
        <GatewayKey channel={channel} />
      </Section>
      <Section level={2} title="Compatibility">
        <div className={styles.switches}>
          <SettingSwitch channel={channel} setting="auto_create" title="Create unknown devices">
            Add unknown devices when a gateway first reports them. Otherwise their messages are rejected.
          </SettingSwitch>
          <SettingSwitch channel={channel} setting="thingsboard_topics" title="ThingsBoard topics">
            Firmware made for ThingsBoard works unchanged: <code>v1/devices/me/telemetry</code> and <code>v1/devices/me/attributes</code>{' '}
            are read as well.
          </SettingSwitch>
          <SettingSwitch channel={channel} setting="ack_points" title="Keep answers to commands">
            What a device answers under <code>data</code> becomes points named <code>sys.ack.…</code>
          </SettingSwitch>
        </div>
      </Section>
    </>
  );
}

function GatewayKey({ channel: { channel_id, channel_name, api_key } }: { channel: ChannelDetail }) {
  const canManage = useCan()('manage_channel');
  const isNew = api_key === null;
  const rotate = useRotateChannelKey(isNew ? 'Key created' : 'Key rotated');
  const remove = useRemoveChannelKey();
  const params = { id: channel_id };
  if (isNew)
    return canManage ? (
      <Button loading={rotate.isPending} onClick={() => rotate.mutate({ params })}>
        Create key
      </Button>
    ) : (
      <p className={styles.masked}>No key</p>
    );
  const askToRotate = () =>
    confirm({
      title: 'Rotate API Key',
      content: `Gateways of “${channel_name}” are disconnected at once, and cannot report until they have the new key. Devices with keys of their own go on.`,
      okText: 'Rotate key',
      danger: true,
      onOk: () => rotate.mutateAsync({ params }),
    });
  const askToRemove = () =>
    confirm({
      title: 'Remove API Key',
      content: `Gateways of “${channel_name}” are disconnected at once and cannot come back. Devices with keys of their own go on.`,
      okText: 'Remove key',
      danger: true,
      onOk: () => remove.mutateAsync({ params }),
    });
  return (
    <div className={styles.gateway}>
      <CopyField label="API Key" value={api_key} isSecret={canManage} canCopy={api_key !== secretMask} />
      {canManage && (
        <div className={styles.actions}>
          <Button onClick={() => void askToRotate()}>Rotate key</Button>
          <Button danger onClick={() => void askToRemove()}>
            Remove key
          </Button>
        </div>
      )}
    </div>
  );
}

interface SettingSwitchProps {
  channel: ChannelDetail;
  setting: 'auto_create' | 'thingsboard_topics' | 'ack_points';
  title: string;
  children: ReactNode;
}

/** Applies at once, like the button that disables the channel. */
export function SettingSwitch({ channel, setting, title, children }: SettingSwitchProps) {
  const id = useId();
  const canManage = useCan()('manage_channel');
  const save = useSaveChannel();
  const set = (isOn: boolean) => save.mutate({ params: { id: channel.channel_id }, body: { [setting]: isOn } });
  return (
    <div className={styles.switch}>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={channel.settings[setting]}
        disabled={!canManage}
        loading={save.isPending}
        onChange={set}
      />
      <label htmlFor={id}>{title}</label>
      <p id={`${id}-hint`}>{children}</p>
    </div>
  );
}
