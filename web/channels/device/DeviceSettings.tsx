import { channelAddress } from '@telltale/domain/channels/address.ts';
import { type DeviceDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { Button } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '../../api/session.ts';
import { CopyField } from '../../ui/CopyField.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { momentText } from '../../ui/momentText.ts';
import { Section } from '../../ui/Section.tsx';
import { deviceAt, useDeleteDevice, useRotateKey } from '../useChannels.ts';
import styles from './Device.module.css';
import { Snippets } from './Snippets.tsx';

const EditDeviceDialog = lazy(() => import('./EditDeviceDialog.tsx'));

/** D2: read-only, each with a copy button. */
export function DeviceSettings({ device }: { device: DeviceDetail }) {
  const canManage = useCan()('manage_channel');
  const isOwn = !isLorawan(device.channel_kind);
  return (
    <div className={`${styles.settings} ${isOwn ? styles.pair : ''}`}>
      <div className={styles.details}>
        <Detail label="Device ID" value={device.device_id} />
        <Detail label="Name" value={device.name} />
        {isOwn ? (
          <>
            <Detail label="API Key" value={device.api_key} isSecret={canManage} />
            <Detail label="Publish Topic" value={device.publish_topic} />
            <Detail label="Subscribe Topic" value={device.subscribe_topic} />
          </>
        ) : (
          <Detail label="DevEUI" value={device.dev_eui ?? ''} />
        )}
        <Detail label="Created At" value={momentText(device.created_at)} />
        {canManage && <DeviceActions device={device} />}
      </div>
      {isOwn && (
        <Section level={2} title="Connect it">
          <Snippets device={device} />
        </Section>
      )}
    </div>
  );
}

function Detail({ label, value, isSecret = false }: { label: string; value: string; isSecret?: boolean }) {
  const id = useId();
  return (
    <div className={styles.detail}>
      <label htmlFor={id}>{label}</label>
      <CopyField id={id} label={label} value={value} isSecret={isSecret} canCopy={value !== secretMask} />
    </div>
  );
}

function DeviceActions({ device }: { device: DeviceDetail }) {
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const rotate = useRotateKey();
  const remove = useDeleteDevice(() => navigate(channelAddress(device.channel_id, device.channel_kind)));
  const params = deviceAt(device);
  const askToRotate = () =>
    confirm({
      title: 'Rotate API Key',
      content: `“${device.name}” gets a new key, and its connection is closed at once. Until it has the new key it cannot report.`,
      okText: 'Rotate key',
      danger: true,
      onOk: () => rotate.mutateAsync({ params }),
    });
  const askToDelete = () =>
    confirm({
      title: 'Delete Device',
      content: `Are you sure you want to delete the device “${device.name}”? Its key stops working, and what it reported is no longer shown.`,
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params }),
    });
  return (
    <div className={styles.actions}>
      <Button onClick={() => setEditing(true)}>Edit</Button>
      {!isLorawan(device.channel_kind) && <Button onClick={() => void askToRotate()}>Rotate key</Button>}
      <Button danger onClick={() => void askToDelete()}>
        Delete
      </Button>
      <Suspense>{isEditing && <EditDeviceDialog device={device} onClose={() => setEditing(false)} />}</Suspense>
    </div>
  );
}
