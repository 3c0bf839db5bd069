import { BoxplotChart, ScatterChart } from 'echarts/charts';
import { LabelLayout } from 'echarts/features';
import { useMemo } from 'react';
import type { RendererProps } from '../define.ts';
import { useChartColors } from '../echarts/EChart.tsx';
import { KeyedChart } from '../echarts/KeyedChart.tsx';
import { registerParts } from '../echarts/parts.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import { boxplotModel } from './boxplotModel.ts';
import { boxplotOption } from './boxplotOption.ts';
import type { BoxplotOptions } from './boxplotOptions.ts';
import { boxplotSummary } from './boxplotSummary.ts';

registerParts([BoxplotChart, ScatterChart, LabelLayout]);

/** visualizations 16: deprecated, but saved ones are drawn. */
export default function BoxplotRenderer({ table, options, settings, name }: RendererProps<BoxplotOptions>) {
  const colors = useChartColors();
  const model = useMemo(() => boxplotModel(table), [table]);
  const option = useMemo(() => boxplotOption(model, options, colors, settings), [model, options, colors, settings]);
  const items = useMemo(
    () =>
      model.boxes.map(({ name: own, five, outliers }, index) => {
        const [low, first, middle, third, high] = five.map((value) => Number(value.toPrecision(4)));
        return {
          index,
          text: `${own}: median ${middle}, quartiles ${first} and ${third}, whiskers ${low} and ${high}, ${outliers.length} outliers`,
        };
      }),
    [model],
  );
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  if (model.boxes.length === 0) return <NoPicture>No column holds numbers.</NoPicture>;
  return <KeyedChart option={option} label={`${name || 'Boxplot'}. ${boxplotSummary(model)}`} height={500} items={items} />;
}
