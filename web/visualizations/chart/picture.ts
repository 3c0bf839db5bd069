import type { EChartsType } from 'echarts/core';
import { fontFamily } from '../../theme/tokens.ts';
import type { ChartColors } from '../echarts/chartColors.ts';
import { saveCanvas } from '../echarts/savePng.ts';
import type { LegendItem } from './Legend.tsx';

const ratio = 2;
const [lineHeight, margin, longest] = [20, 12, 60];

/** Saves the chart with its name above and its legend below, as a file. */
export async function saveChart(chart: EChartsType, name: string, legend: readonly LegendItem[], colors: ChartColors): Promise<void> {
  const plot = chart.renderToCanvas({ pixelRatio: ratio, backgroundColor: colors.paper });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The picture could not be saved.');
  const width = plot.width / ratio;
  context.font = `12px ${fontFamily}`;
  const rows = legendRows(legend, width - 2 * margin, (text) => context.measureText(text).width);
  const top = name ? 36 : 0;
  canvas.width = plot.width;
  canvas.height = plot.height + (top + (rows.length > 0 ? rows.length * lineHeight + margin : 0)) * ratio;
  context.scale(ratio, ratio);
  context.fillStyle = colors.paper;
  context.fillRect(0, 0, width, canvas.height / ratio);
  context.textBaseline = 'middle';
  context.fillStyle = colors.ink;
  context.font = `600 15px ${fontFamily}`;
  if (name) context.fillText(name, margin, top / 2, width - 2 * margin);
  context.drawImage(plot, 0, top, width, plot.height / ratio);
  context.font = `12px ${fontFamily}`;
  for (const [row, items] of rows.entries()) {
    const y = top + plot.height / ratio + lineHeight * (row + 0.5);
    for (const { item, x } of items) {
      context.fillStyle = item.color;
      context.fillRect(margin + x, y - 5, 10, 10);
      context.fillStyle = colors.ink;
      context.fillText(shortened(item.name), margin + x + 16, y);
    }
  }
  await saveCanvas(canvas, name);
}

const shortened = (name: string): string => (name.length > longest ? `${name.slice(0, longest)}…` : name);

/** Rows of items side by side, as many as fit. */
export function legendRows(
  legend: readonly LegendItem[],
  width: number,
  measure: (text: string) => number,
): { item: LegendItem; x: number }[][] {
  const rows: { item: LegendItem; x: number }[][] = [];
  let x = Number.POSITIVE_INFINITY;
  for (const item of legend.slice(0, 100)) {
    const size = 16 + measure(shortened(item.name)) + 20;
    if (x + size > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ item, x });
    x += size;
  }
  return rows;
}
