import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'react-router';
import { useSession } from '../../api/session.ts';
import { useTitle } from '../../layout/useTitle.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../Channels.module.css';
import { Online } from '../Online.tsx';
import { PageTabs } from '../PageTabs.tsx';
import { useDevice } from '../useChannels.ts';
import { DeviceSettings } from './DeviceSettings.tsx';
import { DownlinkTab } from './DownlinkTab.tsx';
import { DataTab } from './data/DataTab.tsx';
import { hasDashboardTab } from './hasDashboardTab.ts';
import { useDeviceFeed } from './useDeviceFeed.ts';

const DeviceDashboard = lazy(() => import('./dashboard/DeviceDashboard.tsx'));

/** /mqtt/:channelId/devices/:deviceId */
export function DevicePage() {
  const { channelId = '', deviceId = '' } = useParams();
  const { data: device, error, refetch } = useDevice(channelId, deviceId);
  useTitle(device?.name);
  if (error && !device)
    return <ErrorState error={error} onRetry={refetch} action={<Link to={`/mqtt/${channelId}`}>Devices of this channel</Link>} />;
  if (!device) return <FormSkeleton rows={6} />;
  return <DeviceView key={`${channelId}/${deviceId}`} device={device} />;
}

function DeviceView({ device }: { device: DeviceDetail }) {
  const { user } = useSession();
  const feed = useDeviceFeed(device.channel_id, device.device_id);
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
            <Link to="/mqtt">Channels</Link> / <Link to={`/mqtt/${device.channel_id}`}>{device.channel_name}</Link>
          </nav>
        }
        title={device.name}
      />
      <div className={styles.facts}>
        <Online online={feed.online ?? device.online} />
        <span>
          Last seen <TimeAgo date={lastSeen} placeholder="never" />
        </span>
        <code>{device.device_id}</code>
      </div>
      <PageTabs
        label={`Device ${device.name}`}
        usual="data"
        tabs={[
          { key: 'downlink', title: 'Downlink', content: <DownlinkTab device={device} /> },
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
