import type { GalleryCase } from '../gallery/galleryCase.ts';

const ways: readonly (readonly [path: string, value: number])[] = [
  ['home queries editor run', 300],
  ['home queries view', 180],
  ['home dashboards widget query', 160],
  ['home dashboards', 90],
  ['alerts edit', 70],
  ['alerts', 40],
  ['devices commands', 55],
  ['devices uplinks detail', 120],
];

export const galleryCases: GalleryCase[] = [
  {
    name: 'paths',
    note: 'One row for each way, shorter ones end earlier.',
    type: 'SUNBURST_SEQUENCE',
    height: 360,
    options: {},
    make: () => ({
      columns: [
        ...['stage1', 'stage2', 'stage3', 'stage4'].map((name) => ({ name, type: 'string' as const })),
        { name: 'value', type: 'integer' },
      ],
      rows: ways.map(([path, value]) => {
        const [stage1 = null, stage2 = null, stage3 = null, stage4 = null] = path.split(' ');
        return { stage1, stage2, stage3, stage4, value };
      }),
    }),
  },
  {
    name: 'steps',
    note: 'One row for each step.',
    type: 'SUNBURST_SEQUENCE',
    height: 360,
    options: {},
    make: () => ({
      columns: [
        { name: 'sequence', type: 'integer' },
        { name: 'stage', type: 'integer' },
        { name: 'node', type: 'string' },
        { name: 'value', type: 'integer' },
      ],
      rows: ways.flatMap(([path, value], sequence) => path.split(' ').map((node, at) => ({ sequence, stage: at + 1, node, value }))),
    }),
  },
];
