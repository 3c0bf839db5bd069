import { column, day, rooms, rowsOf, wave } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const columns = [
  column('room', 'string'),
  column('day', 'date'),
  column('online', 'boolean'),
  column('temperature', 'float'),
  column('battery', 'integer'),
];
const days = [day(0), day(1), day(2)];
const made = (count: number) => () => ({
  columns,
  rows: rowsOf(count, (at) => ({
    room: rooms[Math.floor(wave(at) * 5)],
    day: days[Math.floor(wave(at + 3) * 3)],
    online: wave(at + 7) > 0.2,
    temperature: Math.round((16 + wave(at + 11) * 12) * 10) / 10,
    battery: Math.round(wave(at + 17) * 100),
  })),
});
const place = { type: 'PIVOT', width: 640, height: 360, make: made(300) };
const bare = { controls: { enabled: true }, rows: ['room'], cols: ['day'] };
const average = { aggregatorName: 'Average', vals: ['temperature'] };

export const galleryCases: GalleryCase[] = [
  { ...place, name: 'new', note: 'Nobody has chosen anything: rows counted by the first column of text.', height: 420, options: {} },
  {
    ...place,
    name: 'two-levels',
    note: 'Headings that stand over several rows and columns; a filtered column.',
    height: 480,
    options: { ...bare, ...average, controls: { enabled: false }, rows: ['room', 'online'], valueFilter: { room: { roof: true } } },
  },
  {
    ...place,
    name: 'heatmap',
    note: 'Controls hidden, no totals, largest rows first.',
    height: 220,
    options: {
      ...bare,
      ...average,
      rendererName: 'Table Heatmap',
      rowOrder: 'value_z_to_a',
      rendererOptions: { table: { rowTotals: false, colTotals: false } },
    },
  },
  { ...place, name: 'tsv', note: 'To take away.', height: 200, options: { ...bare, rendererName: 'Exportable TSV' } },
  {
    ...place,
    name: 'columns',
    note: 'A group of columns for each day.',
    height: 280,
    options: { ...bare, rendererName: 'Grouped Column Chart' },
  },
  { ...place, name: 'stacked-bars', note: 'Rooms down the axis.', height: 280, options: { ...bare, rendererName: 'Stacked Bar Chart' } },
  { ...place, name: 'lines', note: 'A line for each room.', height: 280, options: { ...bare, ...average, rendererName: 'Line Chart' } },
  { ...place, name: 'area', note: 'Stacked areas.', height: 280, options: { ...bare, rendererName: 'Area Chart' } },
  { ...place, name: 'scatter', note: 'A dot where room and day meet.', height: 280, options: { ...bare, rendererName: 'Scatter Chart' } },
  { ...place, name: 'pies', note: 'A pie for each day.', height: 280, options: { ...bare, rendererName: 'Multiple Pie Chart' } },
  {
    ...place,
    name: 'million',
    note: 'A million rows, counted in slices.',
    width: 1200,
    height: 640,
    isHeavy: true,
    options: { ...average, controls: { enabled: false }, rows: ['room'], cols: ['day'] },
    make: made(1_000_000),
  },
];
