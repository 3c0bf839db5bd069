import { Tabs } from 'antd';
import { useMemo } from 'react';
import type { EditorProps } from '../define.ts';
import { useStable } from '../useStable.ts';
import { type ChartOptions, dataOptions } from './chartOptions.ts';
import { hasAxes } from './chartTypes.ts';
import type { ChartTabProps } from './editor/ChartTab.ts';
import { ColorsTab } from './editor/ColorsTab.tsx';
import { GeneralTab } from './editor/GeneralTab.tsx';
import { LabelsTab } from './editor/LabelsTab.tsx';
import { SeriesTab } from './editor/SeriesTab.tsx';
import { XAxisTab } from './editor/XAxisTab.tsx';
import { YAxisTab } from './editor/YAxisTab.tsx';
import { chartBase } from './model/base.ts';
import { useSliced } from './useSliced.ts';

/** visualizations 5.16. Tabs without a meaning for a type are hidden. */
export default function ChartEditor(props: EditorProps<ChartOptions>) {
  const { table, options } = props;
  const data = useStable(useMemo(() => dataOptions(options), [options]));
  const { value: base } = useSliced(
    useMemo(() => () => chartBase(table, data), [table, data]),
    table.rows.length,
  );
  const type = options.globalSeriesType;
  const isSwapped = options.swappedAxes === true;
  const tabs: [key: string, label: string, isShown: boolean, Tab: (props: ChartTabProps) => React.ReactNode][] = [
    ['general', 'General', true, GeneralTab],
    ['x', isSwapped ? 'Y Axis' : 'X Axis', hasAxes(type), XAxisTab],
    ['y', isSwapped ? 'X Axis' : 'Y Axis', hasAxes(type), YAxisTab],
    ['series', 'Series', type !== 'custom', SeriesTab],
    ['colors', 'Colors', type !== 'custom', ColorsTab],
    ['labels', 'Data Labels', type !== 'custom', LabelsTab],
  ];
  return (
    <Tabs
      items={tabs.flatMap(([key, label, isShown, Tab]) => (isShown ? [{ key, label, children: <Tab {...props} base={base} /> }] : []))}
    />
  );
}
