import type { GalleryCase } from '../gallery/galleryCase.ts';

export const galleryCases: GalleryCase[] = [
  {
    name: 'stages',
    note: 'Where uplinks go; some end early.',
    type: 'SANKEY',
    height: 320,
    options: {},
    make: () => ({
      columns: [
        { name: 'stage1', type: 'string' },
        { name: 'stage2', type: 'string' },
        { name: 'stage3', type: 'string' },
        { name: 'value', type: 'integer' },
      ],
      rows: [
        { stage1: 'LoRaWAN', stage2: 'Decoded', stage3: 'Stored', value: 620 },
        { stage1: 'LoRaWAN', stage2: 'Decoded', stage3: 'Duplicate', value: 80 },
        { stage1: 'LoRaWAN', stage2: 'Rejected', stage3: null, value: 40 },
        { stage1: 'MQTT', stage2: 'Decoded', stage3: 'Stored', value: 310 },
        { stage1: 'MQTT', stage2: 'Rejected', stage3: null, value: 25 },
        { stage1: 'HTTP', stage2: 'Decoded', stage3: 'Stored', value: 90 },
        { stage1: 'HTTP', stage2: null, stage3: null, value: 30 },
      ],
    }),
  },
];
