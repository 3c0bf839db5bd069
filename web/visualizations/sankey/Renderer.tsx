import { SankeyChart } from 'echarts/charts';
import { useMemo } from 'react';
import type { RendererProps, StoredOptions } from '../define.ts';
import { EChart, useChartColors } from '../echarts/EChart.tsx';
import { registerParts } from '../echarts/parts.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import { sankeyModel } from './sankeyModel.ts';
import { sankeyOption } from './sankeyOption.ts';
import { sankeySummary } from './sankeySummary.ts';

registerParts([SankeyChart]);

/** visualizations 13: how much goes from stage to stage. */
export default function SankeyRenderer({ table, name }: RendererProps<StoredOptions>) {
  const colors = useChartColors();
  const model = useMemo(() => sankeyModel(table), [table]);
  const option = useMemo(() => sankeyOption(model, colors), [model, colors]);
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  if (model.links.length === 0) return <NoPicture>Needs columns such as stage1, stage2 and value, with numbers above zero.</NoPicture>;
  return <EChart option={option} label={`${name || 'Sankey'}. ${sankeySummary(model)}`} height={500} />;
}
