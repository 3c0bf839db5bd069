import type { CustomSeriesOption } from 'echarts';
import { type Box, boxesOf } from '../model/box.ts';
import { colorOf, placer } from './seriesOptions.ts';
import type { View } from './view.ts';
import type { Drawn } from './window.ts';

type RenderItem = NonNullable<CustomSeriesOption['renderItem']>;
type Drawing = { option: CustomSeriesOption; boxes?: Box[]; name: string };
type Point = [number, number];

const mostErrors = 4000;

/** visualizations 5.13: symmetric, in the colour of the series. */
export function errorDrawings(drawn: Drawn, view: View): Drawing[] {
  const { options } = view;
  if (!options.error_y.visible || !options.series.error_y.visible) return [];
  const isSwapped = options.swappedAxes === true;
  const placed = placer(drawn.categories);
  const bars = drawn.series.filter(({ series }) => series.type === 'column');
  return drawn.series.flatMap(({ series, kept }): Drawing[] => {
    const { error } = series;
    if (!error || series.type === 'box' || series.type === 'bubble' || kept.length > mostErrors) return [];
    const data = [...kept].flatMap((at) => {
      const point = placed(series, at);
      const [size, top] = [error[at] ?? 0, series.top[at] ?? Number.NaN];
      return point && size > 0 && !Number.isNaN(top) ? [[point[0], top - size, top + size]] : [];
    });
    const slot =
      series.type === 'column' && !series.stack
        ? { at: bars.findIndex((one) => one.series === series), of: bars.length }
        : { at: 0, of: 1 };
    const color = series.type === 'column' ? view.colors.ink : colorOf(series, view);
    const option: CustomSeriesOption = {
      type: 'custom',
      silent: true,
      z: 5,
      data,
      ...(isSwapped ? { xAxisIndex: series.axis } : { yAxisIndex: series.axis }),
      encode: isSwapped ? { y: 0, x: [1, 2] } : { x: 0, y: [1, 2] },
      renderItem: errorItem(color, isSwapped, slot),
    };
    return [{ option, name: series.name }];
  });
}

const errorItem =
  (color: string, isSwapped: boolean, slot: { at: number; of: number }): RenderItem =>
  (_, api) => {
    const [place, low, high] = [api.value(0), api.value(1), api.value(2)].map(Number);
    const shift = slot.of > 1 ? shiftOf(api, isSwapped, slot) : 0;
    const end = (value = 0): Point => {
      const [x = 0, y = 0] = api.coord(isSwapped ? [value, place ?? 0] : [place ?? 0, value]);
      return isSwapped ? [x, y + shift] : [x + shift, y];
    };
    const [from, to] = [end(low), end(high)];
    const cap = (at: Point): Point[] =>
      isSwapped
        ? [
            [at[0], at[1] - 4],
            [at[0], at[1] + 4],
          ]
        : [
            [at[0] - 4, at[1]],
            [at[0] + 4, at[1]],
          ];
    const stroke = { stroke: color, lineWidth: 1.25, fill: undefined };
    return {
      type: 'group',
      children: [[from, to], cap(from), cap(to)].map((points) => ({ type: 'polyline' as const, shape: { points }, style: stroke })),
    };
  };

/** The offset of one of several adjacent bars. */
function shiftOf(api: Parameters<RenderItem>[1], isSwapped: boolean, { at, of }: { at: number; of: number }): number {
  const band = bandOf(api, isSwapped) * 0.8;
  return Math.min(96 * of, band) * ((at + 0.5) / of - 0.5);
}

/** The width of a category. */
function bandOf(api: Parameters<RenderItem>[1], isSwapped: boolean): number {
  const size = api.size?.([1, 1]);
  return Math.abs((Array.isArray(size) ? size[isSwapped ? 1 : 0] : size) ?? 40);
}

/** visualizations 5.4: boxes of several series side by side, with a gap of half their width. */
export function boxDrawings(drawn: Drawn, view: View): Drawing[] {
  const isSwapped = view.options.swappedAxes === true;
  const placed = placer(drawn.categories);
  const own = drawn.series.filter(({ series }) => series.type === 'box');
  return own.map(({ series }, at): Drawing => {
    const color = colorOf(series, view);
    const boxes = boxesOf(series.x, series.y);
    const shown = boxes.flatMap((box) => {
      const point = placed({ ...series, x: Float64Array.of(box.x), y: Float64Array.of(box.median) }, 0);
      return point ? [{ box, place: point[0] }] : [];
    });
    const option: CustomSeriesOption = {
      type: 'custom',
      name: series.name,
      data: shown.map(({ box, place }) => {
        const values = view.options.showpoints ? box.all : box.outliers;
        return [place, Math.min(box.low, values[0] ?? box.low), Math.max(box.high, values.at(-1) ?? box.high)];
      }),
      ...(isSwapped ? { xAxisIndex: series.axis } : { yAxisIndex: series.axis }),
      encode: isSwapped ? { y: 0, x: [1, 2] } : { x: 0, y: [1, 2] },
      itemStyle: { color },
      renderItem: (params, api) => {
        const found = shown[params.dataIndex];
        if (!found) return undefined;
        const width = bandOf(api, isSwapped) / own.length;
        const half = Math.min(40, width * 0.25);
        const middle = width * (at + 0.5 - own.length / 2);
        const to = (value: number, side: number): Point => {
          const [x = 0, y = 0] = api.coord(isSwapped ? [value, found.place] : [found.place, value]);
          return isSwapped ? [x, y + middle + side] : [x + middle + side, y];
        };
        return { type: 'group', children: boxShapes(found.box, to, half, { color, hasAll: view.options.showpoints === true }) };
      },
    };
    return { option, boxes: shown.map(({ box }) => box), name: series.name };
  });
}

const mostDots = 500;

function boxShapes(
  box: Box,
  to: (value: number, side: number) => Point,
  half: number,
  { color, hasAll }: { color: string; hasAll: boolean },
) {
  const line = (points: Point[], lineWidth = 1.5) => ({
    type: 'polyline' as const,
    shape: { points },
    style: { stroke: color, lineWidth, fill: undefined },
  });
  const dots = (hasAll ? evenly(box.all) : evenly(box.outliers)).map((value, at) => {
    // All points are drawn to the left of the box, spread out.
    const side = hasAll ? -half * 1.6 + jitter(at) * half * 0.6 : 0;
    const [cx, cy] = to(value, side);
    return { type: 'circle' as const, shape: { cx, cy, r: hasAll ? 2.5 : 3 }, style: { fill: color, opacity: 0.7 } };
  });
  return [
    line([to(box.low, 0), to(box.q1, 0)]),
    line([to(box.q3, 0), to(box.high, 0)]),
    line([to(box.low, -half / 2), to(box.low, half / 2)]),
    line([to(box.high, -half / 2), to(box.high, half / 2)]),
    {
      type: 'polygon' as const,
      shape: { points: [to(box.q1, -half), to(box.q1, half), to(box.q3, half), to(box.q3, -half)] },
      style: { fill: color, opacity: 0.3, stroke: color, lineWidth: 1.5 },
    },
    line([to(box.median, -half), to(box.median, half)], 2.5),
    ...dots,
  ];
}

/** A fixed offset for each place, between -1 and 1. */
const jitter = (at: number): number => ((at * 0.618034) % 1) * 2 - 1;

const evenly = (values: number[]): number[] =>
  values.length <= mostDots
    ? values
    : Array.from({ length: mostDots }, (_, at) => values[Math.round((at * (values.length - 1)) / (mostDots - 1))] ?? 0);
