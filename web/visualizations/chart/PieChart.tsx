import { PieChart as PieSeries } from 'echarts/charts';
import { TitleComponent } from 'echarts/components';
import type { EChartsType } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { useCallback, useMemo, useState } from 'react';
import type { RendererProps } from '../define.ts';
import { EChart } from '../echarts/EChart.tsx';
import { ModeBar } from '../echarts/ModeBar.tsx';
import { registerParts } from '../echarts/parts.ts';
import { useStable } from '../useStable.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { type ChartOptions, dataOptions } from './chartOptions.ts';
import { pieOption, sliceColor, sliceLinkPoint } from './draw/pieOption.ts';
import { allOfIt, type Look } from './draw/view.ts';
import { ItemCursor } from './ItemCursor.tsx';
import { type ChartBase, chartBase } from './model/base.ts';
import { type PieModel, pieModel, sliceNames } from './model/pie.ts';
import { isMomentColumn, linkTo, type Texts, textsOf } from './model/texts.ts';
import { nothingTold } from './model/told.ts';
import { saveChart } from './picture.ts';
import { useLook } from './useLook.ts';
import { useSliced } from './useSliced.ts';

registerParts([PieSeries, TitleComponent, LabelLayout]);

const none: ReadonlySet<string> = new Set();

/** visualizations 5.10. */
export function PieChart({ table, options, settings, name }: RendererProps<ChartOptions>) {
  const data = useStable(useMemo(() => dataOptions(options), [options]));
  const { value: base, progress } = useSliced(
    useMemo(() => () => chartBase(table, data), [table, data]),
    table.rows.length,
  );
  const [hidden, setHidden] = useState(none);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const isMomentX = isMomentColumn(table.columns, base?.mapping.x);
  const nameOf = useMemo(() => sliceNames(textsOf(options, settings), isMomentX), [options, settings, isMomentX]);
  const all = useMemo(() => base && pieModel(base, options, none, nameOf), [base, options, nameOf]);
  const model = useMemo(() => base && pieModel(base, options, hidden, nameOf), [base, options, hidden, nameOf]);
  const look = useLook(options, settings, { ...nothingTold, count: all?.names.length ?? 0, isMomentX });
  const legend = useMemo(
    () => (all?.names ?? []).map((names, place) => ({ ...names, color: sliceColor({ ...names, place }, look), shape: 'square' as const })),
    [all, look],
  );

  const onReady = useCallback(
    (ready: EChartsType) => {
      setChart(ready);
      const follow = ({ seriesIndex = 0, dataIndex }: { seriesIndex?: number | undefined; dataIndex: number }) => {
        const slice = model?.pies[seriesIndex]?.slices[dataIndex];
        if (!slice) return;
        const link = linkTo(options, [sliceLinkPoint(slice)]);
        if (link) window.open(link.address, link.target, 'noopener');
      };
      ready.on('click', follow);
      return () => {
        setChart(null);
        if (!ready.isDisposed()) ready.off('click', follow);
      };
    },
    [model, options],
  );

  return (
    <ChartFrame
      options={options}
      legend={legend}
      hidden={hidden}
      onHide={setHidden}
      notes={model?.notes ?? []}
      progress={model ? null : progress}
    >
      {(size) =>
        base &&
        model && (
          <PieView
            model={model}
            base={base}
            look={look}
            size={size}
            label={describedPies(model, look.texts)}
            chart={chart}
            name={name}
            onReady={onReady}
            onSave={
              settings.hidePlotlyModeBar === true
                ? null
                : () => chart && void saveChart(chart, name, options.legend.enabled ? legend : [], look.colors)
            }
          />
        )
      }
    </ChartFrame>
  );
}

interface PieViewProps {
  model: PieModel;
  base: ChartBase;
  look: Look;
  size: { width: number; height: number };
  label: string;
  chart: EChartsType | null;
  name: string;
  onReady: (chart: EChartsType) => () => void;
  onSave: (() => void) | null;
}

function PieView({ model, base, look, size: { width, height }, label, chart, name, onReady, onSave }: PieViewProps) {
  const option = useMemo(
    () => pieOption(model, base, { ...look, zoom: allOfIt, width, height, marks: [] }),
    [model, base, look, width, height],
  );
  const items = model.pies.flatMap(({ slices }, seriesIndex) => slices.map((_, dataIndex) => ({ seriesIndex, dataIndex })));
  return (
    <EChart option={option} label={label} onReady={onReady}>
      <ItemCursor
        chart={chart}
        name={name}
        count={items.length}
        across={1}
        itemOf={(at) => items[at] ?? { seriesIndex: 0, dataIndex: 0 }}
        textOf={(at) => sliceSaid(model, items[at], look.texts)}
      />
      {onSave && <ModeBar onSave={onSave} />}
    </EChart>
  );
}

function sliceSaid({ pies }: PieModel, item: { seriesIndex: number; dataIndex: number } | undefined, texts: Texts): string {
  const pie = item && pies[item.seriesIndex];
  const slice = item && pie?.slices[item.dataIndex];
  return pie && slice ? `${pie.name}, ${slice.name}: ${texts.percent(slice.percent)} (${texts.number(slice.value)})` : '';
}

function describedPies({ pies }: PieModel, texts: Texts): string {
  const parts = pies.slice(0, 5).map(({ name, slices }) => {
    const largest = slices.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent)).slice(0, 5);
    const named = largest.map((slice) => `${slice.name} ${texts.percent(slice.percent)} (${texts.number(slice.value)})`);
    return `${name}: ${slices.length} slices, largest ${named.join(', ')}.`;
  });
  return parts.join(' ') || 'Empty pie.';
}
