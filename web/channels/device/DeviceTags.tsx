import EditOutlined from '@ant-design/icons/EditOutlined';
import { channelAddress } from '@telltale/domain/channels/address.ts';
import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { Label } from '../../ui/Label.tsx';
import { deviceAt, useDeviceTags, useSaveDevice } from '../useChannels.ts';

const TagsDialog = lazy(() => import('../../ui/TagsDialog.tsx').then((m) => ({ default: m.TagsDialog })));

/** The tags of a device lead to the others that have them. */
export function DeviceTags({ device }: { device: DeviceDetail }) {
  const canManage = useCan()('manage_channel');
  const [isOpen, setOpen] = useState(false);
  const { channel_id, channel_kind, tags } = device;
  return (
    <>
      {tags.map((tag) => (
        <Label key={tag} to={`${channelAddress(channel_id, channel_kind)}?tags=${encodeURIComponent(tag)}`}>
          {tag}
        </Label>
      ))}
      {canManage && (
        <Button
          size="small"
          type="text"
          icon={tags.length > 0 ? <EditOutlined /> : null}
          aria-label={tags.length > 0 ? 'Edit tags' : 'Add tag (Edit tags)'}
          onClick={() => setOpen(true)}
        >
          {tags.length > 0 ? null : 'Add tag'}
        </Button>
      )}
      <Suspense>{isOpen && <Tags device={device} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function Tags({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const known = useDeviceTags(device.channel_id);
  const save = useSaveDevice();
  return (
    <TagsDialog
      tags={device.tags}
      known={known.isError ? [] : known.data?.tags.map(({ name }) => name)}
      onSave={(tags) => save.mutateAsync({ params: deviceAt(device), body: { tags } })}
      onClose={onClose}
    />
  );
}
