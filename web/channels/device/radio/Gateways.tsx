import type { HeardGateway, RadioQuality } from '@telltale/domain/channels/data-contract.ts';
import { lazy, Suspense, useMemo } from 'react';
import { useSession } from '../../../api/session.ts';
import { figureText } from '../../../ui/figureText.ts';
import { TimeAgo } from '../../../ui/TimeAgo.tsx';
import { PictureSkeleton } from '../../../visualizations/PictureSkeleton.tsx';
import styles from './Radio.module.css';

const VisualizationRenderer = lazy(() =>
  import('../../../visualizations/VisualizationRenderer.tsx').then((m) => ({ default: m.VisualizationRenderer })),
);

const map = {
  type: 'MAP',
  name: 'Gateways',
  options: {
    latColName: 'latitude',
    lonColName: 'longitude',
    classify: 'kind',
    popup: { enabled: true, template: '' },
    tooltip: { enabled: true, template: '{{ name }}' },
  },
};
const columns = [
  { name: 'name', friendly_name: 'Name', type: 'string' as const },
  { name: 'kind', friendly_name: 'Kind', type: 'string' as const },
  { name: 'latitude', friendly_name: 'Latitude', type: 'float' as const },
  { name: 'longitude', friendly_name: 'Longitude', type: 'float' as const },
  { name: 'uplinks', friendly_name: 'Uplinks', type: 'integer' as const },
  { name: 'rssi', friendly_name: 'RSSI', type: 'float' as const },
  { name: 'snr', friendly_name: 'SNR', type: 'float' as const },
];

const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(1)));

/** The gateways that received the device, with their signal and, where the network reports it, their position. */
export function Gateways({ quality }: { quality: RadioQuality }) {
  const { gateways, latitude, longitude } = quality;
  const { client_config } = useSession();
  const data = useMemo(() => {
    const rows = gateways
      .filter((gateway) => gateway.latitude !== null && gateway.longitude !== null)
      .map(({ gateway_id, rssi, snr, last_heard_at: _, ...gateway }) => ({
        name: gateway_id,
        kind: 'Gateway',
        ...gateway,
        rssi: rounded(rssi),
        snr: rounded(snr),
      }));
    const own =
      latitude === null || longitude === null
        ? []
        : [{ name: 'This device', kind: 'Device', latitude, longitude, uplinks: null, rssi: null, snr: null }];
    return { columns, rows: [...rows, ...own] };
  }, [gateways, latitude, longitude]);
  return (
    <div className={styles.gateways}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Gateway</th>
            <th>Uplinks</th>
            <th>RSSI</th>
            <th>SNR</th>
            <th>Last Heard</th>
          </tr>
        </thead>
        <tbody>
          {gateways.map((gateway) => (
            <GatewayRow key={gateway.gateway_id} gateway={gateway} />
          ))}
        </tbody>
      </table>
      {data.rows.length === 0 ? (
        <p className={styles.note}>The network does not tell where these gateways are.</p>
      ) : (
        <div className={styles.map}>
          <Suspense fallback={<PictureSkeleton />}>
            <VisualizationRenderer visualization={map} data={data} settings={client_config} context="widget" />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function GatewayRow({ gateway: { gateway_id, uplinks, rssi, snr, last_heard_at } }: { gateway: HeardGateway }) {
  const shown = (value: number | null, unit: string) => (value === null ? '' : `${figureText(Number(value.toFixed(1)))} ${unit}`);
  return (
    <tr>
      <td className={styles.id}>{gateway_id}</td>
      <td>{uplinks.toLocaleString('en')}</td>
      <td>{shown(rssi, 'dBm')}</td>
      <td>{shown(snr, 'dB')}</td>
      <td>
        <TimeAgo date={last_heard_at} />
      </td>
    </tr>
  );
}
