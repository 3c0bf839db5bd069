import { column } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const stages = ['Delivered', 'Unpacked', 'Joined the network', 'Reported', 'Reported for a week', 'Replaced under warranty'];
const make = () => ({
  columns: [column('stage', 'string'), column('devices', 'integer')],
  rows: [12_480, 11_960, 11_960, 9310, 8722, 0.4].map((devices, at) => ({ stage: stages[at], devices })),
});
const place = { type: 'FUNNEL', width: 600, height: 300, make };

export const galleryCases: GalleryCase[] = [
  { ...place, name: 'new', note: 'Nobody has chosen anything: text and numbers are found.', options: {} },
  {
    ...place,
    name: 'sorted',
    note: 'Titles of its own, sorted by name, formats, only three.',
    options: {
      stepCol: { colName: 'stage', displayAs: 'Stage' },
      valueCol: { colName: 'devices', displayAs: 'Devices' },
      autoSort: false,
      sortKeyCol: { colName: 'stage', reverse: true },
      itemsLimit: 3,
      numberFormat: '0.0a',
      percentFormat: '0%',
    },
  },
  { ...place, name: 'unmapped', note: 'Stored without columns: what to do.', height: 120, options: { stepCol: { colName: null } } },
];
