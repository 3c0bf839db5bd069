import type { GalleryCase } from '../gallery/galleryCase.ts';

const words =
  'temperature humidity battery pressure uplink downlink gateway sensor alarm threshold payload channel device soil water level valve pump roof boiler radio join retry signal noise spread factor port decoder metric'.split(
    ' ',
  );

export const galleryCases: GalleryCase[] = [
  {
    name: 'frequencies',
    note: 'Each row a word with its number.',
    type: 'WORD_CLOUD',
    height: 320,
    options: {},
    make: () => ({
      columns: [
        { name: 'word', type: 'string' },
        { name: 'count', type: 'integer' },
      ],
      rows: words.map((word, at) => ({ word, count: Math.round(900 / (at + 1)) + 20 })),
    }),
  },
  {
    name: 'counted',
    note: 'Words of every row, at least four letters.',
    type: 'WORD_CLOUD',
    height: 320,
    options: { column: 'text', frequenciesColumn: '', wordLengthLimit: { min: 4, max: null }, wordCountLimit: { min: null, max: null } },
    make: () => ({
      columns: [{ name: 'text', type: 'string' }],
      rows: Array.from({ length: 60 }, (_, at) => ({ text: `${words[at % 7]} of the ${words[(at * 5) % 23]} is ${words[(at * 3) % 11]}` })),
    }),
  },
];
