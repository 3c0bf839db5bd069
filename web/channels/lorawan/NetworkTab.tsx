import { type ChannelDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import type { MetadataLevel } from '@telltale/domain/lorawan/radio.ts';
import { Alert, Button, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { AirtimeCalculator } from '../../networks/AirtimeCalculator.tsx';
import { NetworkState } from '../../networks/NetworkState.tsx';
import { useNetwork, useNetworkNames } from '../../networks/useNetworks.ts';
import { useLeaveGuard } from '../../ui/leaveGuard.ts';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../Channels.module.css';
import { SettingSwitch } from '../GatewaySettings.tsx';
import { useSaveChannel } from '../useChannels.ts';
import { metadataOptions } from './metadataOptions.ts';
import { NetworkName } from './NetworkName.tsx';

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

/** iot-behaviour 2.1: losses are noticed by gaps of frame counters, which generic HTTP uplinks may leave out. */
function LostFrames({ channel: { kind, last_seen_at, lost_frames, lost_frame_at } }: { channel: ChannelDetail }) {
  if (lost_frames === 0) return isLorawan(kind) && last_seen_at !== null && <span>No lost frames noticed</span>;
  return (
    <span>
      <b>{lost_frames.toLocaleString('en')}</b> {lost_frames === 1 ? 'frame' : 'frames'} lost, last <TimeAgo date={lost_frame_at} />
    </span>
  );
}

function Bound({ channel }: { channel: ChannelDetail }) {
  const { settings } = channel;
  const isAdmin = useCan()('admin');
  const { data: network } = useNetwork(settings.network_id ?? 0, isAdmin && settings.network_id !== null);
  if (settings.network_id === null) return <Unbound channel={channel} />;
  return (
    <div className={styles.facts}>
      <span>
        Network <NetworkName channel={channel} />
      </span>
      {network && <NetworkState state={network.state} />}
      {network && (
        <span>
          Last message <TimeAgo date={network.last_message_at} placeholder="never" />
        </span>
      )}
      <LostFrames channel={channel} />
      {/* The reason of an error stands above the tabs. */}
      {network?.last_error && network.state !== 'error' && <span>{network.last_error}</span>}
    </div>
  );
}

/** Devices of an HTTP channel can report by themselves, so for it a network is a choice. */
function Unbound({ channel }: { channel: ChannelDetail }) {
  const canManage = useCan()('manage_channel');
  return (
    <>
      {isLorawan(channel.kind) ? (
        <Alert
          type="warning"
          showIcon
          title="This channel has no network: it was deleted, or it did not exist when the channel was imported. Stored readings stay; no new ones arrive."
        />
      ) : (
        <p>This channel has no network: its devices report by themselves, with their own keys. A network can report for them as well.</p>
      )}
      {canManage && <NetworkChoice channel={channel} />}
    </>
  );
}

function NetworkChoice({ channel: { channel_id, kind } }: { channel: ChannelDetail }) {
  const id = useId();
  const { data: names, isPending } = useNetworkNames();
  const save = useSaveChannel();
  const options = names?.filter(({ type }) => type === kind).map(({ id: value, name: label }) => ({ value, label }));
  return (
    <div className={styles.form}>
      <label htmlFor={id}>Network</label>
      <Select<number>
        id={id}
        placeholder="Choose a network"
        notFoundContent="There is no network of this kind yet."
        loading={isPending || save.isPending}
        options={options ?? []}
        onChange={(network_id) => save.mutate({ params: { id: channel_id }, body: { network_id } })}
      />
    </div>
  );
}
