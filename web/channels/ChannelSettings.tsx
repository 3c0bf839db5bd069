import { channelsAddress } from '@telltale/domain/channels/address.ts';
import { type ChannelDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '../api/session.ts';
import { confirm } from '../ui/confirm.tsx';
import { leaveUnasked, useLeaveGuard } from '../ui/leaveGuard.ts';
import { momentText } from '../ui/momentText.ts';
import { Section } from '../ui/Section.tsx';
import { ArchivedMessages } from './ArchivedMessages.tsx';
import styles from './Channels.module.css';
import { GatewaySettings } from './GatewaySettings.tsx';
import { RetentionSettings } from './RetentionSettings.tsx';
import { useDeleteChannel, useSaveChannel } from './useChannels.ts';

const longestName = 255;

/** D2: the name is saved once it differs; the switches for gateways apply at once. */
export function ChannelSettings({ channel }: { channel: ChannelDetail }) {
  const id = useId();
  const canManage = useCan()('manage_channel');
  const [name, setName] = useState<string | null>(null);
  const save = useSaveChannel();
  const params = { id: channel.channel_id };
  const isChanged = name !== null && name.trim() !== channel.channel_name;
  useLeaveGuard(isChanged);

  const submit = async () => {
    await save.mutateAsync({ params, body: { channel_name: name ?? '' } });
    setName(null);
  };
  return (
    <div className={styles.settings}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void submit().catch(() => {});
        }}
      >
        <label htmlFor={`${id}-id`}>Channel ID</label>
        <Input id={`${id}-id`} className={styles.code} value={channel.channel_id} readOnly variant="filled" />
        <label htmlFor={`${id}-name`}>Channel Name</label>
        <Input
          id={`${id}-name`}
          value={name ?? channel.channel_name}
          maxLength={longestName}
          autoComplete="off"
          readOnly={!canManage}
          onChange={({ target }) => setName(target.value)}
        />
        <label htmlFor={`${id}-at`}>Created At</label>
        <Input id={`${id}-at`} value={momentText(channel.created_at)} readOnly variant="filled" />
        {canManage && (
          <div>
            <Button type="primary" htmlType="submit" disabled={!isChanged} loading={save.isPending}>
              Save Changes
            </Button>
          </div>
        )}
      </form>
      {!isLorawan(channel.kind) && <GatewaySettings channel={channel} />}
      <RetentionSettings channel={channel} />
      <ArchivedMessages channelId={channel.channel_id} />
      {canManage && <ChannelEnd channel={channel} />}
    </div>
  );
}

/** Disables or deletes a channel. */
function ChannelEnd({ channel }: { channel: ChannelDetail }) {
  const navigate = useNavigate();
  const save = useSaveChannel();
  const remove = useDeleteChannel(() => {
    leaveUnasked();
    navigate(channelsAddress(channel.kind));
  });
  const params = { id: channel.channel_id };
  const isMany = channel.device_count > 0;
  const ask = () =>
    confirm({
      title: 'Delete Channel',
      content: (
        <>
          Are you sure you want to delete the channel “{channel.channel_name}”?{' '}
          {isMany &&
            `Its ${channel.device_count.toLocaleString('en')} ${channel.device_count === 1 ? 'device goes' : 'devices go'} with it, and what they reported is no longer shown.`}
        </>
      ),
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params }),
    });
  return (
    <Section level={2} title="Stop this channel">
      <p className={styles.hint}>
        A disabled channel keeps its devices and what they reported; they are refused until it is enabled again. A deleted one is gone, and
        its id can be used again after 24 hours.
      </p>
      <div className={styles.actions}>
        <Button loading={save.isPending} onClick={() => save.mutate({ params, body: { is_disabled: !channel.is_disabled } })}>
          {channel.is_disabled ? 'Enable' : 'Disable'}
        </Button>
        <Button danger onClick={() => void ask()}>
          Delete
        </Button>
      </div>
    </Section>
  );
}
