import { beside } from '@telltale/domain/visualizations/beside.ts';
import type { RefObject } from 'react';

/** The tooltip of a small chart may be larger than the chart: it belongs to the page and stays inside the window. */
export const inWindow = (tooltip: object, place: RefObject<HTMLElement | null>) => ({
  ...tooltip,
  confine: false,
  appendTo: 'body',
  position: ([x, y]: [number, number], _: unknown, __: unknown, ___: unknown, { contentSize }: { contentSize: [number, number] }) => {
    const { left, top } = place.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    const [width, height] = contentSize;
    const at = beside({ x: x + left, y: y + top }, { width, height }, { width: innerWidth, height: innerHeight });
    return [at.x - left, at.y - top];
  },
});
