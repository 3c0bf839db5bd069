import { fontFamily, radius, shadow, type ThemeName } from '../../theme/tokens.ts';
import { chartColors } from './chartColors.ts';

/** The look of every picture of ECharts. There is no animation: nothing moves unless the data changes. */
export function chartTheme(theme: ThemeName) {
  const { ink, muted, paper, raised, line, edge, series } = chartColors(theme);
  const text = { color: ink, fontFamily, fontSize: 12 };
  const axis = {
    axisLine: { lineStyle: { color: edge } },
    axisTick: { lineStyle: { color: edge } },
    axisLabel: { color: muted, fontFamily, fontSize: 12, hideOverlap: true },
    splitLine: { lineStyle: { color: line } },
    splitArea: { show: false },
    nameTextStyle: { color: muted, fontFamily, fontSize: 12 },
    axisPointer: {
      lineStyle: { color: muted, width: 1, type: 'dashed' },
      crossStyle: { color: muted, width: 1, type: 'dashed' },
      label: { backgroundColor: ink, color: paper, fontFamily, fontSize: 12, shadowBlur: 0 },
    },
  };
  return {
    color: [...series],
    backgroundColor: 'transparent',
    textStyle: text,
    animation: false,
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: { ...axis, axisLine: { show: false }, axisTick: { show: false } },
    logAxis: { ...axis, axisLine: { show: false }, axisTick: { show: false } },
    timeAxis: { ...axis, splitLine: { show: false } },
    tooltip: {
      confine: true,
      backgroundColor: raised,
      borderColor: line,
      borderWidth: 1,
      padding: [8, 12],
      transitionDuration: 0,
      textStyle: { color: ink, fontFamily, fontSize: 12 },
      extraCssText: `box-shadow: ${shadow[theme]}; border-radius: ${radius}px; max-width: min(420px, 90%); white-space: normal; overflow-wrap: anywhere`,
    },
    legend: { textStyle: text, pageTextStyle: text, pageIconColor: muted, pageIconInactiveColor: line, inactiveColor: edge },
    visualMap: { textStyle: { color: muted, fontFamily, fontSize: 12 } },
    line: { symbol: 'circle', lineStyle: { width: 2 } },
    pie: { itemStyle: { borderColor: paper, borderWidth: 1 }, label: { color: ink } },
    sankey: { label: { color: ink }, itemStyle: { borderWidth: 0 } },
    sunburst: { itemStyle: { borderColor: paper, borderWidth: 1 } },
    boxplot: { itemStyle: { color: paper } },
  };
}
