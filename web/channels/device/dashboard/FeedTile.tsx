import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { useMemo } from 'react';
import { useSession } from '../../../api/session.ts';
import { VisualizationRenderer } from '../../../visualizations/VisualizationRenderer.tsx';
import styles from './Dashboard.module.css';
import { feedTitle } from './gridLayout.ts';
import { TileHead } from './TileGrip.tsx';

const noRows = { columns: [], rows: [] };

/** D2: the live widget, whose options carry `channelid` and `device_ids`. */
export function FeedTile({ device: { channel_id, device_id } }: { device: DeviceDetail }) {
  const { client_config } = useSession();
  const visualization = useMemo(
    () => ({ type: 'LIVE_UPLINK', name: feedTitle, options: { channelid: channel_id, device_ids: [device_id] } }),
    [channel_id, device_id],
  );
  return (
    <article className={styles.tile} aria-label={feedTitle}>
      <TileHead title={feedTitle} />
      <div className={styles.feed}>
        <VisualizationRenderer visualization={visualization} data={noRows} settings={client_config} context="widget" />
      </div>
    </article>
  );
}
