import { useMemo, useState } from 'react';
import type { RendererProps } from '../define.ts';
import { SaveView } from '../SaveView.tsx';
import { useStable } from '../useStable.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { type ChartOptions, dataOptions } from './chartOptions.ts';
import { colorOf, dashOf, symbolOf } from './draw/seriesOptions.ts';
import { allOfIt, type Look, type Zoom } from './draw/view.ts';
import type { LegendItem } from './Legend.tsx';
import { arrange } from './model/arrange.ts';
import { type BaseSeries, type ChartBase, chartBase } from './model/base.ts';
import { isMomentColumn } from './model/texts.ts';
import { nothingTold, type SeriesTold, toldOf } from './model/told.ts';
import { useLook } from './useLook.ts';
import { useSliced } from './useSliced.ts';
import { XyPlot } from './XyPlot.tsx';

const nobody: readonly string[] = [];

/** Line, bar, area, scatter, bubble and box: everything that has two axes of values. */
export function XyChart({ table, options, settings, name, onSaveView }: RendererProps<ChartOptions>) {
  const data = useStable(useMemo(() => dataOptions(options), [options]));
  const { value: base, progress: reading } = useSliced(
    useMemo(() => () => chartBase(table, data), [table, data]),
    table.rows.length,
  );
  const kept = useStable(options.hiddenSeries ?? nobody);
  const [chosen, setChosen] = useState<{ kept: readonly string[]; hidden: ReadonlySet<string> } | null>(null);
  const hidden = useMemo(() => (chosen && chosen.kept === kept ? chosen.hidden : new Set(kept)), [chosen, kept]);
  const setHidden = (next: ReadonlySet<string>) => setChosen({ kept, hidden: next });
  const isOther = hidden.size !== kept.length || kept.some((key) => !hidden.has(key));
  const { value: model, progress: arranging } = useSliced(
    useMemo(() => (base ? () => arrange(base, data, hidden) : null), [base, data, hidden]),
    table.rows.length,
  );
  const zoomKey = base ? `${base.x.type} ${base.mapping.x} ${data.swappedAxes === true}` : '';
  const [zoomed, setZoomed] = useState<{ key: string; zoom: Zoom }>({ key: '', zoom: allOfIt });
  const zoom = zoomed.key === zoomKey ? zoomed.zoom : allOfIt;
  const told = useMemo(() => (base ? toldOf(base) : nothingTold), [base]);
  const look = useLook(options, settings, {
    ...told,
    count: base?.series.length ?? 0,
    isMomentX: isMomentColumn(table.columns, base?.mapping.x),
  });
  const legend = useMemo(() => (base ? legendOf(base, look, told) : []), [base, look, told]);

  return (
    <ChartFrame
      options={options}
      legend={legend}
      hidden={hidden}
      onHide={setHidden}
      view={
        onSaveView &&
        isOther && <SaveView onSave={() => onSaveView({ hiddenSeries: [...hidden] })} onReset={() => setHidden(new Set(kept))} />
      }
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

/** A series over time is told by its last, least and greatest value as well. */
function legendOf({ series, x, y }: ChartBase, look: Look, { figures }: SeriesTold): LegendItem[] {
  return series.map((one, place) => {
    const known = x.type === 'time' && y[one.axis].type !== 'category' && one.type !== 'box' ? figures.get(one.key) : undefined;
    return {
      key: one.key,
      name: one.name,
      color: colorOf({ color: one.color, place }, look),
      shape: one.type === 'scatter' ? symbolOf(place) : shapes[one.type],
      dash: dashOf(place, look),
      figures: known && {
        last: look.figure(one, known.last),
        min: look.figure(one, known.min, false),
        max: look.figure(one, known.max, false),
      },
    };
  });
}

const shapes: Readonly<Record<BaseSeries['type'], LegendItem['shape']>> = {
  line: 'line',
  area: 'square',
  column: 'square',
  scatter: 'circle',
  bubble: 'circle',
  box: 'square',
};
