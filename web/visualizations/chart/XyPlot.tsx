import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { MarkAreaComponent, MarkLineComponent } from 'echarts/components';
import type { EChartsType } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { useCallback, useMemo, useRef, useState } from 'react';
import { EChart } from '../echarts/EChart.tsx';
import { registerParts } from '../echarts/parts.ts';
import styles from './Chart.module.css';
import { useChartMarks } from './ChartMarks.tsx';
import { Crosshair } from './Crosshair.tsx';
import { described } from './describe.ts';
import { linkPointOf } from './draw/seriesOptions.ts';
import { allOfIt, type Look, type Zoom } from './draw/view.ts';
import { wholeRange } from './draw/window.ts';
import { xyPicture } from './draw/xyOption.ts';
import { inWindow } from './inWindow.ts';
import type { LegendItem } from './Legend.tsx';
import { MarkFlags } from './MarkFlags.tsx';
import type { ChartModel } from './model/arrange.ts';
import type { Range } from './model/ranges.ts';
import { linkTo } from './model/texts.ts';
import { type DragMode, PlotTools } from './PlotTools.tsx';
import { PointCursor } from './PointCursor.tsx';
import { saveChart } from './picture.ts';
import { RangeOffer } from './RangeOffer.tsx';
import { type Selection, usePlotDrag } from './usePlotDrag.ts';
import { panned, within, zoomed } from './zoom.ts';

registerParts([LineChart, BarChart, ScatterChart, CustomChart, LabelLayout, MarkLineComponent, MarkAreaComponent]);

interface XyPlotProps {
  model: ChartModel;
  look: Look;
  size: { width: number; height: number };
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  name: string;
  legend: readonly LegendItem[];
  hasTools: boolean;
}

export function XyPlot({ model, look, size: { width, height }, zoom, onZoom, name, legend, hasTools }: XyPlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const [mode, setMode] = useState<DragMode>('zoom');
  const { marks, onRange } = useChartMarks();
  const [offer, setOffer] = useState<{ from: number; to: number; left: number } | null>(null);
  const view = useMemo(() => ({ ...look, zoom, width, height, marks }), [look, zoom, width, height, marks]);
  const picture = useMemo(() => xyPicture(model, view), [model, view]);
  const option = useMemo(() => ({ ...picture.option, tooltip: inWindow(picture.tooltip, place) }), [picture]);
  const label = useMemo(() => described(model, look.texts, look.isMomentX), [model, look]);
  const whole = useMemo(() => wholeRange(model), [model]);
  const isCategory = model.x.type === 'category';
  const isSwapped = look.options.swappedAxes === true;
  const isTime = model.x.type === 'time' && !isSwapped;
  const isInverse = look.options.reverseX === true;
  const current = whole && (zoom.x ?? whole);
  const isZoomed = zoom.x !== null || zoom.y.some((range) => range !== null);

  const setX = (x: Range | null) => onZoom({ ...zoom, x });
  const zoomBy = (factor: number, around = 0.5) => {
    if (current && whole) setX(zoomed(current, whole, factor, isInverse ? 1 - around : around, isCategory));
  };
  const panBy = (part: number) => {
    if (current && whole) setX(panned(current, whole, isInverse ? -part : part, isCategory));
  };
  const select = ({ across, up }: Selection) => {
    if (!chart || !whole) return;
    const [mainPixels, valuePixels] = isSwapped ? [up, across] : [across, up];
    const main = mainPixels?.map((pixel) => placeAt(chart, isSwapped ? 'yAxisIndex' : 'xAxisIndex', 0, pixel));
    const drawn = picture.drawn.categories;
    const [from, to] = (main ?? []).map((at) => (drawn ? drawn.at(at) : at));
    const x = from === undefined || to === undefined ? zoom.x : within([from, to], whole, isCategory);
    const values = (at: 0 | 1): Range | null => {
      const isUsed = at === 0 || model.series.some(({ axis }) => axis === 1);
      if (!valuePixels || !isUsed || model.y[at].type === 'category') return zoom.y[at];
      const [a = 0, b = 0] = valuePixels.map((pixel) => placeAt(chart, isSwapped ? 'xAxisIndex' : 'yAxisIndex', at, pixel));
      return [Math.min(a, b), Math.max(a, b)];
    };
    onZoom({ x, y: [values(0), values(1)] });
    if (onRange && isTime && mainPixels && from !== undefined && to !== undefined) setOffer({ from, to, left: mainPixels[0] });
  };
  const reset = () => {
    setOffer(null);
    onZoom(allOfIt);
  };
  const marked = usePlotDrag(place, chart, {
    mode,
    onSelect: select,
    onPan: (across, up) => panBy(isSwapped ? up : across),
    onReset: reset,
    onWheel: (factor, across, up) => zoomBy(factor, isSwapped ? up : across),
  });

  const onReady = useCallback((ready: EChartsType) => {
    setChart(ready);
    return () => setChart(null);
  }, []);
  const follow = (pixel: { x: number; y: number }) => {
    if (!chart || !look.options.enableLink || !chart.containPixel({ gridIndex: 0 }, [pixel.x, pixel.y])) return;
    const points = picture.pointsAt(placeAt(chart, isSwapped ? 'yAxisIndex' : 'xAxisIndex', 0, isSwapped ? pixel.y : pixel.x));
    const link = linkTo(
      look.options,
      points.map(({ series, at }) => linkPointOf(model, series, at)),
    );
    if (link) window.open(link.address, link.target, 'noopener');
  };

  return (
    // The tools and the cursor inside are what a keyboard works with; a click here only follows a link.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the cursor does the same
    // biome-ignore lint/a11y/noStaticElementInteractions: as said
    <div
      ref={place}
      className={styles.plot}
      onClick={({ nativeEvent: { offsetX: x, offsetY: y, target } }) => target instanceof HTMLCanvasElement && follow({ x, y })}
    >
      <EChart option={option} label={label} onReady={onReady}>
        <PointCursor
          chart={chart}
          model={model}
          picture={picture}
          look={look}
          zoom={zoom}
          size={{ width, height }}
          name={name}
          onZoom={zoomBy}
          onPan={panBy}
          onReset={reset}
          onFollow={follow}
        />
        {hasTools && (
          <PlotTools
            mode={mode}
            onMode={setMode}
            isZoomed={isZoomed}
            onZoom={(factor) => zoomBy(factor)}
            onReset={reset}
            onSave={() => chart && void saveChart(chart, name, look.options.legend.enabled ? legend : [], look.colors)}
          />
        )}
      </EChart>
      <Crosshair place={place} chart={chart} isUsed={isTime} />
      {isTime && <MarkFlags chart={chart} marks={marks} />}
      {offer && onRange && (
        <RangeOffer
          left={Math.max(0, Math.min(offer.left, width - 280))}
          onApply={() => {
            setOffer(null);
            onZoom(allOfIt);
            onRange(Math.min(offer.from, offer.to), Math.max(offer.from, offer.to));
          }}
          onClose={() => setOffer(null)}
        />
      )}
      {marked && (
        <div
          className={styles.selection}
          style={{ left: marked.left, top: marked.top, width: marked.right - marked.left, height: marked.bottom - marked.top }}
        />
      )}
    </div>
  );
}

const placeAt = (chart: EChartsType, axis: 'xAxisIndex' | 'yAxisIndex', at: number, pixel: number): number =>
  Number(chart.convertFromPixel({ [axis]: at }, pixel));
