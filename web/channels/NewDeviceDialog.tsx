import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { itemsOf } from '../api/itemsOf.ts';
import { useRead } from '../api/query.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import AddChannelDialog from './AddChannelDialog.tsx';
import AddDeviceDialog from './AddDeviceDialog.tsx';

/** Add Device from anywhere: the channel is chosen first; without channels, one is added. */
export default function NewDeviceDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRead(channelsApi.list, {});
  if (!data)
    return (
      <Dialog title="Add Device" hasFooter={false} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={refetch} /> : <FormSkeleton rows={3} />}
      </Dialog>
    );
  const channels = itemsOf(data);
  const [first] = channels;
  if (!first) return <AddChannelDialog onClose={onClose} />;
  return <AddDeviceDialog channelId={first.channel_id} kind={first.kind} channels={channels} onClose={onClose} />;
}
