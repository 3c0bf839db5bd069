import { useMemo, useState } from 'react';
import type { RendererProps } from '../define.ts';
import { useStable } from '../useStable.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { type ChartOptions, dataOptions } from './chartOptions.ts';
import { colorOf, symbolOf } from './draw/seriesOptions.ts';
import { allOfIt, type Look, type Zoom } from './draw/view.ts';
import type { LegendItem } from './Legend.tsx';
import { arrange } from './model/arrange.ts';
import { type BaseSeries, type ChartBase, chartBase } from './model/base.ts';
import { isMomentColumn } from './model/texts.ts';
import { useLook } from './useLook.ts';
import { useSliced } from './useSliced.ts';
import { XyPlot } from './XyPlot.tsx';

const none: ReadonlySet<string> = new Set();

/** Line, bar, area, scatter, bubble and box: everything that has two axes of values. */
export function XyChart({ table, options, settings, name }: RendererProps<ChartOptions>) {
  const data = useStable(useMemo(() => dataOptions(options), [options]));
  const { value: base, progress: reading } = useSliced(
    useMemo(() => () => chartBase(table, data), [table, data]),
    table.rows.length,
  );
  const [hidden, setHidden] = useState(none);
  const { value: model, progress: arranging } = useSliced(
    useMemo(() => (base ? () => arrange(base, data, hidden) : null), [base, data, hidden]),
    table.rows.length,
  );
  const zoomKey = base ? `${base.x.type} ${base.mapping.x} ${data.swappedAxes === true}` : '';
  const [zoomed, setZoomed] = useState<{ key: string; zoom: Zoom }>({ key: '', zoom: allOfIt });
  const zoom = zoomed.key === zoomKey ? zoomed.zoom : allOfIt;
  const look = useLook(options, settings, base?.series.length ?? 0, isMomentColumn(table.columns, base?.mapping.x));
  const legend = useMemo(() => (base ? legendOf(base, look) : []), [base, look]);

  return (
    <ChartFrame
      options={options}
      legend={legend}
      hidden={hidden}
      onHide={setHidden}
      notes={model?.notes ?? []}
      progress={model ? null : (reading ?? arranging)}
    >
      {(size) =>
        model && (
          <XyPlot
            model={model}
            look={look}
            size={size}
            zoom={zoom}
            onZoom={(next) => setZoomed({ key: zoomKey, zoom: next })}
            name={name}
            legend={legend.filter(({ key }) => !hidden.has(key))}
            hasTools={settings.hidePlotlyModeBar !== true}
          />
        )
      }
    </ChartFrame>
  );
}

function legendOf({ series }: ChartBase, look: Look): LegendItem[] {
  return series.map((one, place) => ({
    key: one.key,
    name: one.name,
    color: colorOf({ color: one.color, place }, look),
    shape: one.type === 'scatter' ? symbolOf(place) : shapes[one.type],
  }));
}

const shapes: Readonly<Record<BaseSeries['type'], LegendItem['shape']>> = {
  line: 'line',
  area: 'square',
  column: 'square',
  scatter: 'circle',
  bubble: 'circle',
  box: 'square',
};
