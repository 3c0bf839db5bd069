import { column, moment } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

export const galleryCases: GalleryCase[] = [
  {
    name: 'device',
    note: 'One row of several, with a pager.',
    type: 'DETAILS',
    height: 320,
    options: {
      columns: [
        { name: 'device', title: 'Device', description: 'As it calls itself' },
        { name: 'value', alignContent: 'right' },
      ],
    },
    make: () => ({
      columns: [
        column('device', 'string'),
        column('seen', 'datetime'),
        column('value', 'float'),
        column('online', 'boolean'),
        column('note', 'string'),
        column('position', null),
      ],
      rows: [0, 1, 2].map((at) => ({
        device: `roof-${at + 1}`,
        seen: moment(at * 500),
        value: 20.5 + at,
        online: at !== 1,
        note: at === 0 ? 'Replaced after the storm; the cable runs behind the gutter.\nKey at the gate.' : null,
        position: { lat: 51.5, lon: 7.4 },
      })),
    }),
  },
];
