import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { useState } from 'react';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../../ui/FormSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StateLabel, type Tone } from '../../../ui/StateLabel.tsx';
import styles from '../Device.module.css';
import { Snippets } from '../Snippets.tsx';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { History } from './History.tsx';
import { LastValues } from './LastValues.tsx';
import { MessageLog } from './MessageLog.tsx';
import { useLastValues } from './useDeviceData.ts';

const states: Readonly<Record<DeviceFeed['state'], { tone: Tone; word: string }>> = {
  connecting: { tone: 'neutral', word: 'Connecting…' },
  live: { tone: 'ok', word: 'Live' },
  reconnecting: { tone: 'warning', word: 'Reconnecting…' },
  offline: { tone: 'danger', word: 'Offline' },
};

interface DataTabProps {
  device: DeviceDetail;
  feed: DeviceFeed;
}

/** D2: what the device said last, how it went, and every message as it came. */
export function DataTab({ device, feed }: DataTabProps) {
  const { values, isPending, error, refetch } = useLastValues(device, feed);
  const [chosen, setChosen] = useState<string | null>(null);
  const { tone, word } = states[feed.state];
  const own = values.filter(({ attribute }) => !/^(lora|sys)\./.test(attribute));
  const shown =
    values.find(({ attribute }) => attribute === chosen) ?? own.find(({ kind }) => kind === 'n') ?? own.find(({ kind }) => kind === 'b');
  if (isPending) return <FormSkeleton rows={4} />;
  if (error && values.length === 0) return <ErrorState error={error} onRetry={refetch} />;
  const isNew = values.length === 0 && feed.records.length === 0;
  return (
    <div className={styles.data}>
      <p className={styles.state} role="status">
        <StateLabel tone={feed.refused === null ? tone : 'danger'}>{feed.refused ?? word}</StateLabel>
      </p>
      {isNew ? (
        <>
          <EmptyState>This device has not reported yet. What it sends appears here at once.</EmptyState>
          <Section level={2} title="Send a first value">
            <Snippets device={device} shows={['publish']} />
          </Section>
        </>
      ) : (
        <>
          <LastValues device={device} feed={feed} values={values} chosen={shown?.attribute ?? null} onChoose={setChosen} />
          {shown && (shown.kind === 'n' || shown.kind === 'b') && (
            <History key={shown.attribute} device={device} feed={feed} attribute={shown.attribute} unit={shown.unit} />
          )}
        </>
      )}
      <MessageLog device={device} feed={feed} />
    </div>
  );
}
