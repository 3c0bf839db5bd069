import type { EChartsCoreOption } from 'echarts/core';
import { fontFamily } from '../../theme/tokens.ts';
import { type ChartColors, textOn } from '../echarts/chartColors.ts';
import { readable } from '../readable.ts';
import type { SunburstModel, SunburstNode } from './sunburstModel.ts';

interface DrawnNode {
  name: string;
  value: number;
  path: readonly number[];
  itemStyle: { color: string };
  label: { show: boolean; color: string; formatter: string };
  children: DrawnNode[];
}

/** Relative to half of the shorter side: the middle is reserved for text. */
const inner = 0.32;
const outer = 0.96;
/** The approximate width of a letter. */
const letter = 7.5;
const fewestLetters = 4;

/** visualizations 14: rings from the first stage outwards. */
export function sunburstOption(model: SunburstModel, { paper }: ChartColors, side: number): EChartsCoreOption {
  return {
    series: [
      {
        type: 'sunburst',
        sort: 'desc',
        nodeClick: false,
        startAngle: 90,
        radius: [`${inner * 100}%`, `${outer * 100}%`],
        emphasis: { focus: 'ancestor' },
        blur: { itemStyle: { opacity: 0.3 }, label: { opacity: 0.3 } },
        itemStyle: { borderColor: paper, borderWidth: 1 },
        label: { rotate: 'tangential', fontFamily, fontSize: 12 },
        data: drawnNodes(model.nodes, [], { letters: lettersIn(model, side), paper }),
      },
    ],
  };
}

type Letters = (value: number, ring: number) => number;

/** The number of letters that fit along a slice of a ring. */
function lettersIn({ nodes, total }: SunburstModel, side: number): Letters {
  const rings = depthOf(nodes);
  const width = (outer - inner) / Math.max(1, rings);
  const isRoomy = (width * side) / 2 > 14;
  return (value, ring) => (isRoomy ? Math.floor(((value / total) * Math.PI * side * (inner + width * (ring + 0.5))) / letter) - 1 : 0);
}

const depthOf = (nodes: readonly SunburstNode[]): number => nodes.reduce((most, { children }) => Math.max(most, 1 + depthOf(children)), 0);

interface Look {
  letters: Letters;
  paper: string;
}

function drawnNodes(nodes: readonly SunburstNode[], above: readonly number[], look: Look): DrawnNode[] {
  return nodes.map(({ name, value, color: own, children }, at) => {
    const color = readable(own, look.paper);
    const path = [...above, at];
    const room = look.letters(value, above.length);
    return {
      name,
      value,
      path,
      itemStyle: { color },
      label: { show: room >= Math.min(fewestLetters, name.length), color: textOn(color), formatter: shortened(name, room) },
      children: drawnNodes(children, path, look),
    };
  });
}

/** The chart treats it as a template, in which braces would name its own values. */
const shortened = (name: string, room: number): string =>
  (name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name).replace(/[{}]/g, ' ');
