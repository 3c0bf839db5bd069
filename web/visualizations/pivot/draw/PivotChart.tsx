import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { LegendComponent, TitleComponent } from 'echarts/components';
import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import { useCallback, useMemo, useRef } from 'react';
import { fontFamily } from '../../../theme/tokens.ts';
import { EChart, useChartColors } from '../../echarts/EChart.tsx';
import { ModeBar } from '../../echarts/ModeBar.tsx';
import { registerParts } from '../../echarts/parts.ts';
import { savePng } from '../../echarts/savePng.ts';
import styles from '../Pivot.module.css';
import { chartOption } from './chartOption.ts';
import type { DrawingProps } from './drawing.ts';

registerParts([BarChart, LineChart, PieChart, ScatterChart, LegendComponent, TitleComponent]);
const counted = new Intl.NumberFormat('en');

/** The pivot as a chart; a note below it names what had no room. */
export default function PivotChart({ data, rendererName, measure, print, label, hasModeBar }: DrawingProps) {
  const { ink, paper } = useChartColors();
  const chart = useRef<EChartsType | null>(null);
  const onReady = useCallback((ready: EChartsType) => {
    chart.current = ready;
    return undefined;
  }, []);
  const save = () => void (chart.current && savePng(chart.current, label, paper));
  const { option, left } = useMemo(() => chartOption({ data, rendererName, measure, print }), [data, rendererName, measure, print]);
  const inked = useMemo(() => withTitles(option, ink), [option, ink]);
  return (
    <>
      <EChart option={inked} label={label} height={320} onReady={onReady}>
        {hasModeBar && <ModeBar onSave={save} />}
      </EChart>
      {(left.series > 0 || left.categories > 0) && (
        <p className={styles.cut}>
          Not drawn: {counted.format(left.series)} more series and {counted.format(left.categories)} more values along the axis. A table
          shows all of them.
        </p>
      )}
    </>
  );
}

/** The theme has no style for titles, so those over pies get the style of the other text. */
function withTitles(option: EChartsCoreOption, color: string): EChartsCoreOption {
  if (!Array.isArray(option.title)) return option;
  const textStyle = { color, fontFamily, fontSize: 12, fontWeight: 500, width: 160, overflow: 'truncate' };
  return { ...option, title: option.title.map((title: object) => ({ ...title, textStyle })) };
}
