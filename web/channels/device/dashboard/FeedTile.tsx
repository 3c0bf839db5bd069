import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { useMemo } from 'react';
import { useSession } from '../../../api/session.ts';
import { VisualizationRenderer } from '../../../visualizations/VisualizationRenderer.tsx';
import styles from './Dashboard.module.css';

const noRows = { columns: [], rows: [] };

/** D2: the live widget, whose options carry `channelid` and `device_ids`. */
export function FeedTile({ device: { channel_id, device_id } }: { device: DeviceDetail }) {
  const { client_config } = useSession();
  const visualization = useMemo(
    () => ({ type: 'LIVE_UPLINK', name: 'Live uplinks', options: { channelid: channel_id, device_ids: [device_id] } }),
    [channel_id, device_id],
  );
  return (
    <article className={styles.tile} aria-label="Live uplinks">
      <header data-move>Live uplinks</header>
      <div className={styles.feed}>
        <VisualizationRenderer visualization={visualization} data={noRows} settings={client_config} context="widget" />
      </div>
    </article>
  );
}
