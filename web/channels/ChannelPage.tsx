import type { ChannelDetail } from '@telltale/domain/channels/contract.ts';
import { Link, useParams, useSearchParams } from 'react-router';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import { ChannelSettings } from './ChannelSettings.tsx';
import styles from './Channels.module.css';
import { DeviceList } from './DeviceList.tsx';
import { PageTabs } from './PageTabs.tsx';
import { useChannel, useDevices } from './useChannels.ts';

/** /mqtt/:channelId */
export function ChannelPage() {
  const { channelId = '' } = useParams();
  const { data: channel, error, refetch } = useChannel(channelId);
  const [search] = useSearchParams();
  // Its devices are asked for at the same time: the list needs nothing of the channel but its id.
  useDevices(channelId, !search.get('tab'));
  useTitle(channel?.channel_name);
  if (error && !channel) return <ErrorState error={error} onRetry={refetch} action={<Link to="/mqtt">Mqtt Channels</Link>} />;
  if (!channel) return <FormSkeleton />;
  return <ChannelView key={channel.channel_id} channel={channel} />;
}

function ChannelView({ channel }: { channel: ChannelDetail }) {
  return (
    <div className={styles.page}>
      <PageHeader
        above={
          <nav aria-label="Breadcrumb">
            <Link to="/mqtt">Channels</Link>
          </nav>
        }
        title={channel.channel_name}
        action={channel.is_disabled && <StateLabel tone="warning">Disabled: its devices cannot report</StateLabel>}
      />
      <PageTabs
        label={`Channel ${channel.channel_name}`}
        tabs={[
          { key: 'devices', title: 'Devices', content: <DeviceList channelId={channel.channel_id} /> },
          { key: 'settings', title: 'General settings', content: <ChannelSettings channel={channel} /> },
        ]}
      />
    </div>
  );
}
