import SendOutlined from '@ant-design/icons/SendOutlined';
import { type DeviceDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { DeviceDeliveries } from '../../commands/deliveries/DeviceDeliveries.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Device.module.css';
import { Snippets } from './Snippets.tsx';
import type { DeviceFeed } from './useDeviceFeed.ts';

const SendDialog = lazy(() => import('../../commands/send/SendDialog.tsx'));

/** D2: the waiting and sent commands of the device, and how it receives them. */
export function DownlinkTab({ device, feed }: { device: DeviceDetail; feed: DeviceFeed }) {
  const canSend = useCan()('send_command');
  const [isSending, setSending] = useState(false);
  return (
    <div className={styles.downlink}>
      {canSend && (
        <div>
          <Button type="primary" icon={<SendOutlined />} onClick={() => setSending(true)}>
            Send command
          </Button>
        </div>
      )}
      <DeviceDeliveries channelId={device.channel_id} deviceId={device.device_id} news={feed.commands} />
      {!isLorawan(device.channel_kind) && (
        <div className={styles.settings}>
          <Section level={2} title="Receive commands">
            <p className={styles.note}>Commands arrive on the subscribe topic of the device.</p>
            <CopyField label="Subscribe Topic" value={device.subscribe_topic} />
            <Snippets device={device} shows={['subscribe']} />
          </Section>
        </div>
      )}
      {isSending && (
        <Suspense>
          <SendDialog channelId={device.channel_id} deviceIds={[device.device_id]} onClose={() => setSending(false)} />
        </Suspense>
      )}
    </div>
  );
}
