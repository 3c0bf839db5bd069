import { expect, test } from 'vitest';
import { positionOfWidget } from './widgetPosition.ts';

const widget = (type: string | undefined, position: object) => ({ options: { position }, visualization: type ? { type } : undefined });

test.each([
  ['TABLE', { minSizeX: 2, maxSizeX: 6, minSizeY: 1, maxSizeY: 1000 }],
  ['CHART', { minSizeX: 1, maxSizeX: 6, minSizeY: 5, maxSizeY: 1000 }],
  [undefined, { minSizeX: 1, maxSizeX: 6, minSizeY: 1, maxSizeY: 1000 }],
])('visualizations 1.1: the limits of %s are those of its kind, not the stored ones', (type, limits) => {
  const stored = { col: 1, row: 4, sizeX: 4, sizeY: 9, autoHeight: false };
  const position = { ...stored, minSizeX: 5, maxSizeX: 5, minSizeY: 20, maxSizeY: 20 };
  expect(positionOfWidget(widget(type, position))).toEqual({ ...stored, ...limits });
});

test('visualizations 1.1: the kind gives the size that is not stored', () => {
  expect(positionOfWidget(widget('COUNTER', { col: 2 }))).toMatchObject({ col: 2, sizeX: 2, sizeY: 5, autoHeight: false });
  expect(positionOfWidget(widget('TABLE', { sizeX: 1 }))).toMatchObject({ sizeX: 2, sizeY: 14, autoHeight: true });
});
