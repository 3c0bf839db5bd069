import { column } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const make = () => ({
  columns: [column('device', 'string'), column('level', 'float'), column('volts', 'float')],
  rows: [
    { device: 'roof-1', level: 82.4, volts: 4.02 },
    { device: 'roof-2', level: 34, volts: 3.51 },
    { device: 'roof-3', level: 9, volts: null },
  ],
});
const place = { type: 'BATTERY', width: 280, height: 200, make };

export const galleryCases: GalleryCase[] = [
  { ...place, name: 'high', note: 'Nobody has chosen anything but a label.', options: { label: 'Roof 1' } },
  { ...place, name: 'medium', note: 'Orange, and a word.', options: { label: 'Roof 2', rowNumber: 2 } },
  { ...place, name: 'low', note: 'Red, and a word.', options: { label: 'Roof 3', rowNumber: -1 } },
  {
    ...place,
    name: 'voltage',
    note: 'A range that is not of percents.',
    options: { label: 'Roof 2', rowNumber: 2, valueColumn: 'volts', range: [3, 4.2], suffix: ' V', numberFormat: '0.00' },
  },
  { ...place, name: 'nothing', note: 'No value: the outline and the null marker.', options: { valueColumn: 'volts', rowNumber: 3 } },
  { ...place, name: 'equal-ends', note: 'A stored range of no length: the value in an empty outline.', options: { range: [5, 5] } },
];
