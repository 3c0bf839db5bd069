import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColors } from '../echarts/chartColors.ts';
import { tooltipBox } from '../echarts/tooltipBox.ts';
import { readable } from '../readable.ts';
import type { SankeyModel } from './sankeyModel.ts';

const longestLabel = 24;
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** An invisible node that only takes room. */
const hidden = { silent: true, emphasis: { disabled: true }, tooltip: { show: false } };

interface Pointed {
  dataType?: string;
  data?: { name?: string; source?: string; target?: string };
}

/** visualizations 13: names beside nodes, towards the middle of the picture. */
export function sankeyOption({ nodes, links, stages }: SankeyModel, { ink, paper }: ChartColors): EChartsCoreOption {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const last = stages.length - 1;
  return {
    tooltip: {
      trigger: 'item',
      formatter: ({ dataType, data = {} }: Pointed) => {
        if (dataType === 'edge') {
          const [source, target] = [byKey.get(data.source ?? ''), byKey.get(data.target ?? '')];
          const link = links.find((one) => one.source === data.source && one.target === data.target);
          return tooltipBox(`${source?.name ?? ''} → ${target?.name ?? ''}`, [{ value: whole.format(link?.value ?? 0) }]);
        }
        const node = byKey.get(data.name ?? '');
        return tooltipBox(node?.name ?? '', [{ color: node?.color, value: whole.format(node?.value ?? 0) }]);
      },
    },
    series: [
      {
        type: 'sankey',
        left: 8,
        right: 8,
        top: 8,
        bottom: 8,
        nodeWidth: 15,
        nodeGap: nodes.length > 120 ? 2 : 10,
        nodeAlign: 'left',
        draggable: false,
        emphasis: { focus: 'adjacency' },
        blur: { itemStyle: { opacity: 0.2 }, lineStyle: { opacity: 0.08 }, label: { opacity: 0.2 } },
        lineStyle: { color: 'source', opacity: 0.3, curveness: 0.5 },
        data: nodes.map(({ key, name, stage, color, isExit }) => ({
          name: key,
          depth: stage,
          itemStyle: { color: readable(color, paper), opacity: isExit ? 0 : 1 },
          ...(isExit && { ...hidden, blur: { itemStyle: { opacity: 0 } } }),
          label: {
            show: !isExit,
            position: stage <= last / 2 && stage < last ? 'right' : 'left',
            color: ink,
            formatter: () => (name.length > longestLabel ? `${name.slice(0, longestLabel)}…` : name),
          },
        })),
        links: links.map(({ source, target, value }) => {
          const isExit = byKey.get(target)?.isExit ?? false;
          return {
            source,
            target,
            value,
            ...(isExit && { ...hidden, lineStyle: { opacity: 0 }, blur: { lineStyle: { opacity: 0 } } }),
          };
        }),
      },
    ],
  };
}
