import { channelAddress, channelsAddress } from '@telltale/domain/channels/address.ts';
import { type ChannelDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, Navigate, useLocation, useParams, useSearchParams } from 'react-router';
import { PageSkeleton } from '../layout/PageSkeleton.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PageTabs } from '../ui/PageTabs.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import { ChannelSettings } from './ChannelSettings.tsx';
import styles from './Channels.module.css';
import { DeviceList } from './DeviceList.tsx';
import { LazyDecoderTab } from './decoder/LazyDecoderTab.tsx';
import { useChannel, useDevices } from './useChannels.ts';

const AttributesTab = lazy(() => import('./attributes/AttributesTab.tsx'));
const LiveData = lazy(() => import('./lorawan/LiveData.tsx'));
const NetworkWarning = lazy(() => import('./lorawan/NetworkWarning.tsx'));
const NetworkTab = lazy(() => import('./lorawan/NetworkTab.tsx'));

/** /mqtt/:channelId and /console/channels/:channelId; each kind of channel has one of them. */
export function ChannelPage() {
  const { channelId = '' } = useParams();
  const { data: channel, error, refetch } = useChannel(channelId);
  const [search] = useSearchParams();
  const { pathname, search: query } = useLocation();
  // The devices are requested at the same time: the list needs only the id of the channel.
  useDevices(channelId, !search.get('tab'));
  useTitle(channel?.channel_name);
  const list = pathname.startsWith('/mqtt') ? <Link to="/mqtt">Mqtt Channels</Link> : <Link to="/console/channels">LoRaWAN Channels</Link>;
  if (error && !channel) return <ErrorState error={error} onRetry={refetch} action={list} />;
  if (!channel) return <PageSkeleton shape="object" />;
  const address = channelAddress(channel.channel_id, channel.kind);
  if (!pathname.startsWith(channelsAddress(channel.kind))) return <Navigate to={`${address}${query}`} replace />;
  return <ChannelView key={channel.channel_id} channel={channel} />;
}

const part = (content: ReactNode) => <Suspense fallback={<FormSkeleton rows={4} />}>{content}</Suspense>;

function ChannelView({ channel }: { channel: ChannelDetail }) {
  const hasNetwork = channel.kind !== 'mqtt';
  return (
    <div className={styles.page}>
      <PageHeader
        above={
          <nav aria-label="Breadcrumb">
            <Link to={channelsAddress(channel.kind)}>Channels</Link>
          </nav>
        }
        title={channel.channel_name}
        action={channel.is_disabled && <StateLabel tone="warning">Disabled: its devices cannot report</StateLabel>}
      />
      {channel.has_network_error && (
        <Suspense>
          <NetworkWarning channel={channel} />
        </Suspense>
      )}
      <PageTabs
        label={`Channel ${channel.channel_name}`}
        tabs={[
          { key: 'devices', title: 'Devices', content: <DeviceList channel={channel} /> },
          ...(isLorawan(channel.kind) ? [{ key: 'live', title: 'Live data', content: part(<LiveData channel={channel} />) }] : []),
          { key: 'attributes', title: 'Attributes', content: part(<AttributesTab channelId={channel.channel_id} />) },
          { key: 'decoder', title: 'Decoder', content: <LazyDecoderTab channelId={channel.channel_id} /> },
          ...(hasNetwork ? [{ key: 'network', title: 'Network', content: part(<NetworkTab channel={channel} />) }] : []),
          { key: 'settings', title: 'General settings', content: <ChannelSettings channel={channel} /> },
        ]}
      />
    </div>
  );
}
