import { column, rooms } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const make = () => ({
  columns: [column('room', 'string'), column('online', 'integer'), column('expected', 'integer')],
  rows: [412, 87, 63].map((online, at) => ({ room: rooms[at], online: online * 31, expected: 2800 })),
});
const place = { type: 'COUNTER', width: 320, height: 180, make };

export const galleryCases: GalleryCase[] = [
  { ...place, name: 'new', note: 'Nobody has chosen anything: the first column of numbers.', options: {} },
  {
    ...place,
    name: 'target-reached',
    note: 'Green and an upward mark.',
    context: 'widget',
    options: { counterLabel: 'Devices online', counterColName: 'online', targetColName: 'expected', formatTargetValue: true },
  },
  {
    ...place,
    name: 'target-missed',
    note: 'Red and a downward mark.',
    context: 'widget',
    options: { counterLabel: 'Devices online', counterColName: 'online', rowNumber: 2, targetColName: 'expected', stringSuffix: ' pcs' },
  },
  {
    ...place,
    name: 'text',
    note: 'Text is shown as it is.',
    context: 'widget',
    options: { counterLabel: 'Busiest room', counterColName: 'room', rowNumber: -1, stringPrefix: '$' },
  },
  { ...place, name: 'gone', note: 'A column that the result no longer has.', options: { counterColName: 'visitors' } },
];
