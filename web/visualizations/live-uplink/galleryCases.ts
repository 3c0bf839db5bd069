import type { GalleryCase } from '../gallery/galleryCase.ts';

const place = { type: 'LIVE_UPLINK', width: 400, height: 300, make: () => ({ columns: [], rows: [] }) };

/** The records are those of gallery/GalleryFeed.tsx. */
export const galleryCases: GalleryCase[] = [
  {
    ...place,
    name: 'live',
    note: 'Two devices, one has said nothing yet.',
    height: 360,
    options: { channelid: 'weather', device_ids: ['roof-1', 'roof-2'] },
  },
  {
    ...place,
    name: 'fields',
    note: 'Only the chosen values, in the chosen order.',
    height: 200,
    options: { channelid: 'weather', device_ids: ['roof-1'], fields: ['door', 'temperature', 'missing'] },
  },
  {
    ...place,
    name: 'marks',
    note: 'Records are missing after the newest value, the last one could not be read, and one device is gone.',
    height: 280,
    options: { channelid: 'busy', device_ids: ['roof-1', 'roof-2'] },
  },
  { ...place, name: 'waiting', note: 'Connected, nothing came.', height: 160, options: { channelid: 'quiet', device_ids: ['roof-1'] } },
  { ...place, name: 'new', note: 'Nothing chosen.', height: 120, options: {} },
  { ...place, name: 'refused', note: 'The server will not tell.', height: 160, options: { channelid: 'secret', device_ids: ['roof-1'] } },
];
