import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import { longestRetentionDays, retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useCan } from '../api/session.ts';
import { bytesText } from '../queries/run/durationText.ts';
import { confirm } from '../ui/confirm.tsx';
import { controlState } from '../ui/form/controlState.ts';
import { Labelled } from '../ui/form/Labelled.tsx';
import { useLeaveGuard } from '../ui/leaveGuard.ts';
import { Section } from '../ui/Section.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './Channels.module.css';
import { readRetention, retentionQuestion } from './retentionQuestion.ts';
import { useSaveChannel } from './useChannels.ts';

/** iot-behaviour 1.8 and 5.2: for how long the channel keeps what its devices report, beside what that takes on disk. */
export function RetentionSettings({ channel }: { channel: ChannelDetail }) {
  const id = useId();
  const canManage = useCan()('manage_channel');
  const save = useSaveChannel();
  const saved = channel.settings.retention_days;
  const [text, setText] = useState<string | null>(null);
  const { days, fault } = readRetention(text ?? String(saved ?? ''));
  const isChanged = text !== null && (fault !== undefined || days !== saved);
  useLeaveGuard(isChanged);

  const submit = async () => {
    const write = () => save.mutateAsync({ params: { id: channel.channel_id }, body: { retention_days: days } });
    const question = retentionQuestion(saved, days);
    if (question === null) await write();
    else {
      const content = `${question} This also holds for their averages by minute and by hour, and for messages of “${channel.channel_name}”.`;
      if (!(await confirm({ title: 'Shorten Retention', content, okText: 'Delete older readings', danger: true, onOk: write }))) return;
    }
    // What was typed during the save stays.
    setText((now) => (now === text ? null : now));
  };
  return (
    <Section level={2} title="Retention">
      <p className={styles.hint}>
        By default, readings are kept for {retentionDays.point} days, their hourly averages for ever, messages for {retentionDays.uplink}{' '}
        days. A number of days here limits all of that; the last value of each attribute stays.
      </p>
      <form
        className={styles.retention}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && fault === undefined) void submit().catch(() => {});
        }}
      >
        <Labelled id={`${id}-days`} label="Keep readings for" fault={fault} info={`1 to ${longestRetentionDays}; empty: the default`}>
          <Input
            {...controlState(`${id}-days`, fault, true)}
            value={text ?? String(saved ?? '')}
            inputMode="numeric"
            autoComplete="off"
            placeholder={`${retentionDays.point} (default)`}
            suffix="days"
            maxLength={10}
            readOnly={!canManage}
            onChange={({ target }) => setText(target.value)}
          />
        </Labelled>
        {canManage && (
          <Button htmlType="submit" disabled={!isChanged || fault !== undefined} loading={save.isPending}>
            Save retention
          </Button>
        )}
      </form>
      <StorageUse channel={channel} />
    </Section>
  );
}

function StorageUse({ channel: { storage_bytes, storage_measured_at } }: { channel: ChannelDetail }) {
  if (storage_bytes === null) return <p className={styles.hint}>The space that this channel takes is measured every 15 minutes.</p>;
  return (
    <p className={styles.facts}>
      <span>
        Takes about <b>{bytesText(storage_bytes)}</b> in the database
      </span>
      <span>
        Measured <TimeAgo date={storage_measured_at} />
      </span>
    </p>
  );
}
