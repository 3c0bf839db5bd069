import { SankeyChart } from 'echarts/charts';
import { useMemo } from 'react';
import type { RendererProps, StoredOptions } from '../define.ts';
import { useChartColors } from '../echarts/EChart.tsx';
import { KeyedChart } from '../echarts/KeyedChart.tsx';
import { registerParts } from '../echarts/parts.ts';
import { NoPicture, whyNoRows } from '../NoPicture.tsx';
import { sankeyModel } from './sankeyModel.ts';
import { sankeyOption } from './sankeyOption.ts';
import { sankeySummary } from './sankeySummary.ts';

registerParts([SankeyChart]);

/** visualizations 13: the flows from stage to stage. */
export default function SankeyRenderer({ table, name }: RendererProps<StoredOptions>) {
  const colors = useChartColors();
  const model = useMemo(() => sankeyModel(table), [table]);
  const option = useMemo(() => sankeyOption(model, colors), [model, colors]);
  const items = useMemo(
    () =>
      model.nodes
        .flatMap(({ name: own, stage, value, isExit }, index) =>
          isExit ? [] : [{ index, stage, value, text: `${own}, stage ${stage + 1}: ${value}` }],
        )
        .sort((a, b) => a.stage - b.stage || b.value - a.value),
    [model],
  );
  if (table.rows.length === 0) return <NoPicture>{whyNoRows(table)}</NoPicture>;
  if (model.links.length === 0) return <NoPicture>Needs columns such as stage1, stage2 and value, with numbers above zero.</NoPicture>;
  return <KeyedChart option={option} label={`${name || 'Sankey'}. ${sankeySummary(model)}`} height={500} items={items} />;
}
