import { defineVisualization } from '../define.ts';
import { uplinkOptions } from './uplinkOptions.ts';

export const liveUplink = defineVisualization({
  type: 'LIVE_UPLINK',
  name: 'Live Uplink Feed',
  options: uplinkOptions,
  size: { width: 3, height: 8, minWidth: 2, minHeight: 4 },
  summary: (_table, { channelid, device_ids }) =>
    channelid && device_ids.length > 0
      ? `Live uplinks of ${device_ids.length} ${device_ids.length === 1 ? 'device' : 'devices'} in channel ${channelid.slice(0, 100)}.`
      : 'Live uplinks; no channel and device chosen yet.',
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
