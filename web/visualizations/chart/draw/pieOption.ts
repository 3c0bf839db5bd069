import type { EChartsCoreOption } from 'echarts/core';
import { plainText } from '../../cellValue.ts';
import { textOn } from '../../echarts/chartColors.ts';
import { tooltipBox } from '../../echarts/tooltipBox.ts';
import { valueColorOf } from '../chartOptions.ts';
import { automaticColor } from '../colors.ts';
import { noRow } from '../model/arrange.ts';
import type { ChartBase } from '../model/base.ts';
import { type Pie, type PieModel, pieGrid, type Slice, type SliceName } from '../model/pie.ts';
import { mentions, type PointFacts, pointText } from '../model/texts.ts';
import type { Look, View } from './view.ts';

export const sliceColor = ({ place, ...names }: SliceName & Pick<Slice, 'place'>, { options, colors, count }: Look): string =>
  valueColorOf(options, names) ?? automaticColor(options.color_scheme, place, count, colors.series);

const mostLabels = 60;

/** visualizations 5.10: donuts with a hole of 40 %, in a grid. */
export function pieOption(model: PieModel, base: ChartBase, view: View): EChartsCoreOption {
  const { options, colors, width, height } = view;
  const { columns, rows } = pieGrid(model.pies.length);
  const hasNames = !mentions(options.textFormat, '@@name');
  const cell = { width: width / columns, height: height / rows };
  const title = hasNames ? 24 : 0;
  const radius = Math.max(10, Math.min(cell.width / 2 - 16, (cell.height - title) / 2 - 12));
  const places = model.pies.map((pie, at) => ({
    pie,
    x: cell.width * ((at % columns) + 0.5),
    y: cell.height * Math.floor(at / columns) + title + (cell.height - title) / 2,
  }));
  return {
    aria: { enabled: view.hasPatterns, label: { enabled: false }, decal: { show: view.hasPatterns } },
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesIndex = 0, dataIndex = 0 }: { seriesIndex?: number; dataIndex?: number }) =>
        sliceTooltip(model.pies[seriesIndex], dataIndex, base, view),
    },
    title: hasNames
      ? places.map(({ pie, x, y }) => ({
          text: pie.name,
          left: x,
          top: y - radius - title - 4,
          textAlign: 'center',
          textStyle: { color: colors.ink, fontSize: 13, fontWeight: 500, width: cell.width - 16, overflow: 'truncate' },
        }))
      : [],
    series: places.map(({ pie, x, y }) => ({
      type: 'pie',
      name: pie.name,
      center: [x, y],
      radius: [radius * 0.4, radius],
      clockwise: options.direction.type === 'clockwise',
      startAngle: 90,
      stillShowZeroSum: false,
      emphasis: { scale: false },
      cursor: options.enableLink ? 'pointer' : 'default',
      label: {
        show: options.showDataLabels && pie.slices.length <= mostLabels,
        position: 'inside',
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const slice = pie.slices[dataIndex];
          if (!slice || !hasRoom(slice, radius)) return '';
          return options.textFormat.trim() === '' ? view.texts.percent(slice.percent) : sliceText(pie, slice, base, view);
        },
      },
      data: pie.slices.map((slice) => {
        const color = sliceColor(slice, view);
        return {
          name: slice.name,
          value: Math.abs(slice.value),
          itemStyle: { color, borderColor: colors.paper, borderWidth: 1 },
          label: { color: textOn(color) },
        };
      }),
    })),
  };
}

const labelPx = 36;

/** Measured along the middle of the ring. */
const hasRoom = ({ percent }: Slice, radius: number): boolean => 2 * Math.PI * radius * 0.7 * (Math.abs(percent) / 100) >= labelPx;

function sliceFacts(pie: Pie, { name, value, percent, row, category }: Slice, { rows }: ChartBase, { texts, isMomentX }: View): PointFacts {
  return {
    name: pie.name,
    x: category === undefined ? name : texts.raw(category, isMomentX),
    y: texts.number(value),
    percent: texts.percent(percent),
    row: row === noRow ? undefined : rows[row],
  };
}

/** visualizations 5.14: what an address gets of a slice. */
export const sliceLinkPoint = ({ name, category, value }: Slice): { x: string; y: string } => ({
  x: category === undefined ? name : plainText(category),
  y: String(value),
});

const sliceText = (pie: Pie, slice: Slice, base: ChartBase, view: View): string =>
  pointText(view.options.textFormat, sliceFacts(pie, slice, base, view));

function sliceTooltip(pie: Pie | undefined, dataIndex: number, base: ChartBase, view: View): HTMLElement {
  const slice = pie?.slices[dataIndex];
  if (!pie || !slice) return tooltipBox('', []);
  const { textFormat } = view.options;
  const facts = sliceFacts(pie, slice, base, view);
  const name = mentions(textFormat, '@@name') ? '' : pie.name;
  const title = mentions(textFormat, '@@x') ? name : [name, facts.x].filter(Boolean).join(' · ');
  return tooltipBox(title, [{ color: sliceColor(slice, view), value: pointText(textFormat, facts) }]);
}
