import { channelAddress, channelsAddress, deviceAddress } from '@telltale/domain/channels/address.ts';
import { type DeviceDetail, isLorawan } from '@telltale/domain/channels/contract.ts';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { TriggeredAlerts } from '../../alerts/TriggeredAlerts.tsx';
import { useSession } from '../../api/session.ts';
import { PageSkeleton } from '../../layout/PageSkeleton.tsx';
import { useTitle } from '../../layout/useTitle.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageTabs } from '../../ui/PageTabs.tsx';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../Channels.module.css';
import { DeviceState } from '../DeviceState.tsx';
import { useDevice } from '../useChannels.ts';
import { DeviceSettings } from './DeviceSettings.tsx';
import { DeviceTags } from './DeviceTags.tsx';
import { DownlinkTab } from './DownlinkTab.tsx';
import { DataTab } from './data/DataTab.tsx';
import { hasDashboardTab } from './hasDashboardTab.ts';
import { useDeviceFeed } from './useDeviceFeed.ts';

const RadioTab = lazy(() => import('./radio/RadioTab.tsx'));
const DeviceDashboard = lazy(() => import('./dashboard/DeviceDashboard.tsx'));

/** /mqtt/:channelId/devices/:deviceId, and the same below /console/channels for LoRaWAN devices. */
export function DevicePage() {
  const { channelId = '', deviceId = '' } = useParams();
  const { data: device, error, refetch } = useDevice(channelId, deviceId);
  useTitle(device?.name);
  const { pathname, search } = useLocation();
  if (error && !device) return <ErrorState error={error} onRetry={refetch} action={<Link to="..">Devices of this channel</Link>} />;
  if (!device) return <PageSkeleton shape="object" />;
  if (!pathname.startsWith(channelsAddress(device.channel_kind)))
    return <Navigate to={`${deviceAddress(channelId, deviceId, device.channel_kind)}${search}`} replace />;
  return <DeviceView key={`${channelId}/${deviceId}`} device={device} onChanged={refetch} />;
}

function DeviceView({ device, onChanged }: { device: DeviceDetail; onChanged: () => unknown }) {
  const { user } = useSession();
  const feed = useDeviceFeed(device.channel_id, device.device_id);
  // The feed reports at once that the device came or went; the server derives the state from it.
  const newest = feed.records[0]?.uplink_id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when either changes, never otherwise
  useEffect(() => void onChanged(), [feed.online, newest === undefined]);
  const lastSeen =
    [device.last_seen_at, feed.records[0]?.received_at ?? null]
      .filter((at) => at !== null)
      .sort()
      .at(-1) ?? null;
  return (
    <div className={styles.page}>
      <PageHeader
        above={
          <nav aria-label="Breadcrumb">
            <Link to={channelsAddress(device.channel_kind)}>Channels</Link> /{' '}
            <Link to={channelAddress(device.channel_id, device.channel_kind)}>{device.channel_name}</Link>
          </nav>
        }
        title={device.name}
      />
      <div className={styles.facts}>
        <DeviceState state={device.state} />
        <span>
          {lastSeen ? (
            <>
              Last seen <TimeAgo date={lastSeen} />
            </>
          ) : (
            'Never seen'
          )}
        </span>
        {device.rejected_count > 0 && (
          <StateLabel tone="warning">{`${device.rejected_count.toLocaleString('en')} rejected in 7 days`}</StateLabel>
        )}
        <TriggeredAlerts channelId={device.channel_id} deviceId={device.device_id} />
        <code>{device.device_id}</code>
        <DeviceTags device={device} />
      </div>
      <PageTabs
        label={`Device ${device.name}`}
        usual="data"
        tabs={[
          ...(isLorawan(device.channel_kind)
            ? [
                {
                  key: 'radio',
                  title: 'Radio',
                  content: (
                    <Suspense fallback={<FormSkeleton rows={6} />}>
                      <RadioTab device={device} feed={feed} />
                    </Suspense>
                  ),
                },
              ]
            : []),
          { key: 'downlink', title: 'Downlink', content: <DownlinkTab device={device} feed={feed} /> },
          { key: 'data', title: 'Data', content: <DataTab device={device} feed={feed} /> },
          { key: 'settings', title: 'General settings', content: <DeviceSettings device={device} /> },
          ...(hasDashboardTab(user)
            ? [
                {
                  key: 'dashboard',
                  title: 'Dashboard',
                  content: (
                    <Suspense fallback={<FormSkeleton rows={4} />}>
                      <DeviceDashboard device={device} feed={feed} />
                    </Suspense>
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}
