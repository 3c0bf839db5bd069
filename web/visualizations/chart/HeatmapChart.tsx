import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { HeatmapChart as HeatmapSeries } from 'echarts/charts';
import { VisualMapComponent } from 'echarts/components';
import type { EChartsType } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { RendererProps } from '../define.ts';
import { EChart } from '../echarts/EChart.tsx';
import { ModeBar } from '../echarts/ModeBar.tsx';
import { registerParts } from '../echarts/parts.ts';
import { displayName } from '../filters/columnName.ts';
import { useStable } from '../useStable.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { type ChartOptions, seriesOptionsOf } from './chartOptions.ts';
import { mappingOf } from './columnMapping.ts';
import { type HeatmapNames, heatmapOption } from './draw/heatmapOption.ts';
import { allOfIt, type Look } from './draw/view.ts';
import { ItemCursor } from './ItemCursor.tsx';
import { type HeatmapModel, heatmapModel } from './model/heatmap.ts';
import { isMomentColumn, type Texts } from './model/texts.ts';
import { nothingTold } from './model/told.ts';
import { saveChart } from './picture.ts';
import { useLook } from './useLook.ts';
import { useSliced } from './useSliced.ts';

registerParts([HeatmapSeries, VisualMapComponent, LabelLayout]);

const none: ReadonlySet<string> = new Set();

/** visualizations 5.11. */
export function HeatmapChart({ table, options, settings, name }: RendererProps<ChartOptions>) {
  const { columnMapping, sortX, sortY, reverseX, reverseY } = options;
  const data = useStable(
    useMemo(() => ({ columnMapping, sortX, sortY, reverseX, reverseY }), [columnMapping, sortX, sortY, reverseX, reverseY]),
  );
  const { value: model, progress } = useSliced(
    useMemo(() => () => heatmapModel(table, data), [table, data]),
    table.rows.length,
  );
  const [chart, setChart] = useState<EChartsType | null>(null);
  const { x, y, zVal } = useMemo(() => mappingOf(options, table.columns), [options, table.columns]);
  const look = useLook(options, settings, { ...nothingTold, count: 1, isMomentX: isMomentColumn(table.columns, x) });
  const names = useMemo(
    () => ({
      x: displayName(x ?? ''),
      y: seriesOptionsOf(options, y[0] ?? '').name || displayName(y[0] ?? ''),
      z: displayName(zVal ?? ''),
      isMomentY: isMomentColumn(table.columns, y[0]),
    }),
    [x, y, zVal, table.columns, options],
  );
  const onReady = useCallback((ready: EChartsType) => {
    setChart(ready);
    return () => setChart(null);
  }, []);
  return (
    <ChartFrame options={options} legend={[]} hidden={none} onHide={() => {}} notes={model?.notes ?? []} progress={model ? null : progress}>
      {(size) =>
        model && (
          <HeatmapView model={model} rows={table.rows} names={names} look={look} size={size} onReady={onReady}>
            <ItemCursor
              chart={chart}
              name={name}
              count={model.values.length}
              across={model.x.length}
              itemOf={(dataIndex) => ({ seriesIndex: 0, dataIndex })}
              textOf={(at) => cellText(model, names, look, at)}
            />
            {settings.hidePlotlyModeBar !== true && <ModeBar onSave={() => chart && void saveChart(chart, name, [], look.colors)} />}
          </HeatmapView>
        )
      }
    </ChartFrame>
  );
}

interface HeatmapViewProps {
  model: HeatmapModel;
  rows: readonly ResultRow[];
  names: HeatmapNames;
  look: Look;
  size: { width: number; height: number };
  onReady: (chart: EChartsType) => () => void;
  children: ReactNode;
}

function HeatmapView({ model, rows, names, look, size, onReady, children }: HeatmapViewProps) {
  const { width, height } = size;
  const option = useMemo(
    () => heatmapOption(model, rows, names, { ...look, zoom: allOfIt, width, height, marks: [] }),
    [model, rows, names, look, width, height],
  );
  return (
    <EChart option={option} label={described(model, names, look.texts)} onReady={onReady}>
      {children}
    </EChart>
  );
}

function cellText({ x, y, values }: HeatmapModel, { isMomentY }: HeatmapNames, { texts, isMomentX }: Look, at: number): string {
  const [across, up] = [at % x.length, Math.floor(at / x.length)];
  return `${texts.raw(x[across], isMomentX)}, ${texts.raw(y[up], isMomentY)}: ${texts.number(values[at])}`;
}

const described = ({ x, y, min, max }: HeatmapModel, names: HeatmapNames, texts: Texts): string =>
  `${names.z || 'Values'} of ${x.length} ${names.x || 'columns'} by ${y.length} ${names.y || 'rows'}, from ${texts.number(min)} to ${texts.number(max)}.`;
