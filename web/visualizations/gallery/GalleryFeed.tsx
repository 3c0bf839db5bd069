import type { ReactNode } from 'react';
import { type FeedRecord, type UplinkFeed, UplinkFeedContext } from '../live-uplink/uplinkFeed.ts';

const record = (at: number): FeedRecord & Record<string, unknown> => ({
  uplink_id: `01JH${String(at).padStart(4, '0')}`,
  channel_id: 'weather',
  device_id: 'roof-1',
  device_name: 'Roof 1',
  received_at: new Date(Date.UTC(2026, 2, 1, 11, 40 + at * 4)).toISOString(),
  status: 'stored',
  encoding: 'json',
  bytes: 42,
  values: { temperature: 21.5 + at / 10, humidity: 48, door: true, mode: 'eco', note: null },
});

/** A feed with fixed records. */
const feed: UplinkFeed = {
  start: ({ channel, devices }, { onState, onUplinks, onGap, onMissing, onRefused }) => {
    if (channel === 'secret') onRefused('You do not have access to this channel.');
    else onState('live');
    if (channel === 'weather') onUplinks([0, 1, 2, 3].map(record).filter(({ device_id }) => devices.includes(device_id)));
    if (channel === 'busy') {
      onUplinks([{ ...record(0), values: { temperature: 21.12345678901234, humidity: 1e-9, count: 1_234_567.5 } }]);
      onGap('roof-1', 1204);
      onUplinks([{ ...record(1), status: 'rejected', values: {}, errors: ['bad_json: The payload is not valid JSON.'] }]);
      onMissing?.(['roof-2']);
    }
    return () => {};
  },
  listChannels: async () => [
    { id: 'weather', name: 'Weather stations' },
    { id: 'quiet', name: 'Quiet' },
  ],
  listDevices: async () => [
    { id: 'roof-1', name: 'Roof 1' },
    { id: 'roof-2', name: 'Roof 2' },
  ],
};

export const GalleryFeed = ({ children }: { children: ReactNode }) => <UplinkFeedContext value={feed}>{children}</UplinkFeedContext>;
