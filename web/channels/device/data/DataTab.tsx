import { type DeviceDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import { useRef, useState } from 'react';
import { DeviceAlerts } from '../../../alerts/DeviceAlerts.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../../ui/FormSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StateLabel, type Tone } from '../../../ui/StateLabel.tsx';
import styles from '../Device.module.css';
import { Explore } from '../explore/Explore.tsx';
import { Snippets } from '../Snippets.tsx';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { LastValues } from './LastValues.tsx';
import { MessageLog } from './MessageLog.tsx';
import { SimulateUplinkButton } from './SimulateUplinkButton.tsx';
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

/** D2: the last values of the device, their history, and every message as it came. */
export function DataTab({ device, feed }: DataTabProps) {
  const { values, isPending, error, refetch } = useLastValues(device, feed);
  const [chosen, setChosen] = useState<string | null>(null);
  const { tone, word } = states[feed.state];
  const own = values.filter(({ attribute }) => !/^(lora|sys)\./.test(attribute));
  const numbers = own.filter(({ kind }) => kind === 'n');
  const first = numbers.find(({ attribute }) => !isPosition(attribute)) ?? numbers[0] ?? own.find(({ kind }) => kind === 'b');
  // The attribute that was shown first stays selected when others arrive.
  const kept = useRef<string | null>(null);
  kept.current = chosen ?? kept.current ?? first?.attribute ?? null;
  const shown = values.find(({ attribute }) => attribute === kept.current) ?? first;
  if (isPending) return <FormSkeleton rows={4} />;
  if (error && values.length === 0) return <ErrorState error={error} onRetry={refetch} />;
  const isNew = values.length === 0 && feed.records.length === 0;
  return (
    <div className={styles.data}>
      <div className={styles.dataHead}>
        <p className={styles.state} role="status">
          <StateLabel tone={feed.refused === null ? tone : 'danger'}>{feed.refused ?? word}</StateLabel>
        </p>
        <SimulateUplinkButton device={device} values={values} feed={feed} />
      </div>
      {isNew ? (
        <>
          <EmptyState>This device has not reported yet. What it sends appears here at once.</EmptyState>
          {!isLorawan(device.channel_kind) && (
            <Section level={2} title="Send a first value">
              <Snippets device={device} shows={['publish']} />
            </Section>
          )}
        </>
      ) : (
        <>
          <LastValues device={device} feed={feed} values={values} chosen={shown?.attribute ?? null} onChoose={setChosen} />
          {shown && (shown.kind === 'n' || shown.kind === 'b') && (
            <Explore key={shown.attribute} device={device} feed={feed} attribute={shown.attribute} unit={shown.unit} />
          )}
        </>
      )}
      <DeviceAlerts channelId={device.channel_id} deviceId={device.device_id} />
      <MessageLog device={device} feed={feed} />
    </div>
  );
}

/** iot-behaviour 1.5: where a device is seldom is what one wants to see first. */
const isPosition = (attribute: string): boolean => /(^|\.)(lat|latitude|lon|lng|long|longitude)$/.test(attribute);
