import type { GalleryCase } from '../gallery/galleryCase.ts';

const wave = (at: number) => {
  const value = Math.sin(at * 12.9898) * 43758.5453;
  return value - Math.floor(value);
};

export const galleryCases: GalleryCase[] = [
  {
    name: 'columns',
    note: 'One box for each column of numbers, a few values far away.',
    type: 'BOXPLOT',
    height: 360,
    options: { xAxisLabel: 'Room', yAxisLabel: 'Temperature, °C' },
    make: () => ({
      columns: [
        { name: 'boiler house', type: 'float' },
        { name: 'cold store', type: 'float' },
        { name: 'green house', type: 'float' },
        { name: 'note', type: 'string' },
      ],
      rows: Array.from({ length: 120 }, (_, at) => ({
        'boiler house': 24 + wave(at) * 8 + (at % 40 === 3 ? 12 : 0),
        'cold store': 4 + wave(at + 50) * 3 - (at % 60 === 9 ? 7 : 0),
        'green house': 18 + wave(at + 99) * 14,
        note: 'text',
      })),
    }),
  },
];
