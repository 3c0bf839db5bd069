import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import type { MetadataLevel } from '@telltale/domain/lorawan/radio.ts';
import { Alert, Button, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '../../api/session.ts';
import { AirtimeCalculator } from '../../networks/AirtimeCalculator.tsx';
import { NetworkState } from '../../networks/NetworkState.tsx';
import { useNetwork } from '../../networks/useNetworks.ts';
import { useLeaveGuard } from '../../ui/leaveGuard.ts';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../Channels.module.css';
import { SettingSwitch } from '../GatewaySettings.tsx';
import { useSaveChannel } from '../useChannels.ts';
import { metadataOptions } from './metadataOptions.ts';

/** The network and the application of a channel, and the level of radio metadata to keep. */
export default function NetworkTab({ channel }: { channel: ChannelDetail }) {
  const id = useId();
  const canManage = useCan()('manage_channel');
  const save = useSaveChannel();
  const params = { id: channel.channel_id };
  const [application, setApplication] = useState<string | null>(null);
  const saved = channel.settings.application_id ?? '';
  const isChanged = application !== null && application.trim() !== saved;
  useLeaveGuard(isChanged);

  const submit = async () => {
    await save.mutateAsync({ params, body: { application_id: application } });
    // What was typed during the save stays.
    setApplication((now) => (now === application ? null : now));
  };
  return (
    <div className={styles.settings}>
      <Bound channel={channel} />
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void submit().catch(() => {});
        }}
      >
        <label htmlFor={`${id}-app`}>Application ID</label>
        <Input
          id={`${id}-app`}
          className={styles.code}
          value={application ?? saved}
          maxLength={256}
          autoComplete="off"
          placeholder="All that no other channel takes"
          readOnly={!canManage}
          onChange={({ target }) => setApplication(target.value)}
        />
        <label htmlFor={`${id}-metadata`}>Radio Metadata</label>
        <Select<MetadataLevel>
          id={`${id}-metadata`}
          value={channel.settings.metadata}
          disabled={!canManage}
          options={metadataOptions.map(({ value, name }) => ({ value, label: name }))}
          onChange={(metadata) => save.mutate({ params, body: { metadata } })}
        />
        {canManage && (
          <div>
            <Button type="primary" htmlType="submit" disabled={!isChanged} loading={save.isPending}>
              Save Changes
            </Button>
          </div>
        )}
      </form>
      <div className={styles.switches}>
        <SettingSwitch channel={channel} setting="auto_create" title="Create unknown devices">
          A device of the application that is not there yet is added with its first uplink. Otherwise its messages are rejected.
        </SettingSwitch>
      </div>
      <AirtimeCalculator />
    </div>
  );
}

function LostFrames({ channel: { lost_frames, lost_frame_at } }: { channel: ChannelDetail }) {
  if (lost_frames === 0) return <span>No frames lost</span>;
  return (
    <span>
      <b>{lost_frames.toLocaleString('en')}</b> {lost_frames === 1 ? 'frame' : 'frames'} lost, last <TimeAgo date={lost_frame_at} />
    </span>
  );
}

function Bound({ channel }: { channel: ChannelDetail }) {
  const { network_name, settings } = channel;
  const isAdmin = useCan()('admin');
  const { data: network } = useNetwork(settings.network_id ?? 0, isAdmin && settings.network_id !== null);
  if (settings.network_id === null)
    return (
      <Alert type="warning" showIcon title="The network of this channel was deleted. What was reported stays; nothing new comes in." />
    );
  return (
    <div className={styles.facts}>
      <span>Network {isAdmin ? <Link to={`/networks/${settings.network_id}`}>{network_name}</Link> : <b>{network_name}</b>}</span>
      {network && <NetworkState state={network.state} />}
      {network && (
        <span>
          Last message <TimeAgo date={network.last_message_at} placeholder="never" />
        </span>
      )}
      <LostFrames channel={channel} />
      {network?.last_error && <span>{network.last_error}</span>}
    </div>
  );
}
