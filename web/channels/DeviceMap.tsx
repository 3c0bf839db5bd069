import { deviceAddress } from '@telltale/domain/channels/address.ts';
import { type ChannelKind, type DeviceState, pagedDevices } from '@telltale/domain/channels/contract.ts';
import { useMemo } from 'react';
import { useRead } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { PictureSkeleton } from '../visualizations/PictureSkeleton.tsx';
import { VisualizationRenderer } from '../visualizations/VisualizationRenderer.tsx';
import styles from './Channels.module.css';
import { deviceStateWord } from './DeviceState.tsx';

interface DeviceMapProps {
  channelId: string;
  kind: ChannelKind;
  /** The same filters as those of the list below it. */
  query: { state: DeviceState | undefined; tags: string[]; q?: string };
}

const mostPlaces = 250;
const columns = ['name', 'state', 'device_id', 'last_seen_at', 'address', 'latitude', 'longitude'].map((name) => ({
  name,
  friendly_name: name,
  type: null,
}));
const options = {
  latColName: 'latitude',
  lonColName: 'longitude',
  classify: 'state',
  groups: {
    Connected: { color: '#2B8A3E' },
    Reporting: { color: '#2B8A3E' },
    Late: { color: '#B86E00' },
    Silent: { color: '#868E96' },
  },
  clusterMarkers: true,
  tooltip: { enabled: true, template: '{{ name }}: {{ state }}' },
  popup: { enabled: true, template: '<a href="{{ address }}">{{ name }}</a><br>{{ state }}' },
};

/** Where the devices are, in the colours of their states; those that never said so are in the list only. */
export default function DeviceMap({ channelId, kind, query }: DeviceMapProps) {
  const { client_config } = useSession();
  const { data } = useRead(
    pagedDevices,
    { params: { id: channelId }, query: { ...query, placed: 'true', page: 1, page_size: mostPlaces } },
    { refetchInterval: 15_000, placeholderData: (before) => before },
  );
  const table = useMemo(
    () => ({
      columns,
      rows: (data?.results ?? []).map(({ name, state, device_id, last_seen_at, latitude, longitude }) => ({
        name,
        state: deviceStateWord(state),
        device_id,
        last_seen_at,
        address: deviceAddress(channelId, device_id, kind),
        latitude,
        longitude,
      })),
    }),
    [data, channelId, kind],
  );
  if (!data) return <PictureSkeleton />;
  return (
    <div className={styles.map}>
      <VisualizationRenderer
        data={table}
        visualization={{ type: 'MAP', name: 'Devices', options }}
        settings={client_config}
        context="widget"
      />
      {data.count > mostPlaces && (
        <p className={styles.hint}>
          The first {mostPlaces} of {data.count.toLocaleString('en')} devices with a position.
        </p>
      )}
    </div>
  );
}
