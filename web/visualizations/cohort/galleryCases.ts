import { column, day, wave } from '../gallery/fixedData.ts';
import type { GalleryCase } from '../gallery/galleryCase.ts';

const make = () => ({
  columns: [column('date', 'date'), column('day_number', 'integer'), column('total', 'integer'), column('value', 'integer')],
  // The fourth day is missing.
  rows: [0, 1, 2, 4, 5].flatMap((at) => {
    const total = Math.round(80 + wave(at) * 60);
    return Array.from({ length: 6 - at }, (_, stage) => ({
      date: day(at),
      day_number: stage,
      total,
      value: Math.round(total * Math.exp(-stage * (0.25 + wave(at + 9) * 0.2))),
    }));
  }),
});
const place = { type: 'COHORT', width: 760, make };

export const galleryCases: GalleryCase[] = [
  { ...place, name: 'new', note: 'Columns of the usual names; the missing day is a row without anybody.', options: {} },
  {
    ...place,
    name: 'numbers',
    note: 'As is, numbers instead of percents, own colours and titles.',
    options: {
      mode: 'simple',
      percentValues: false,
      timeColumnTitle: 'Installed',
      peopleColumnTitle: 'Devices',
      stageColumnTitle: 'Day {{ @ }}',
      colors: { min: '#FFF3BF', max: '#E8590C', steps: 5 },
    },
  },
];
