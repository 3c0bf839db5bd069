import type { EChartsType } from 'echarts/core';
import { type KeyboardEvent, useState } from 'react';
import styles from './Chart.module.css';
import { factsOf } from './draw/seriesOptions.ts';
import type { Look, Zoom } from './draw/view.ts';
import { hoverText, type XyPicture } from './draw/xyOption.ts';
import type { ChartModel } from './model/arrange.ts';

interface PointCursorProps {
  chart: EChartsType | null;
  model: ChartModel;
  picture: XyPicture;
  look: Look;
  zoom: Zoom;
  size: { width: number; height: number };
  name: string;
  onZoom: (factor: number) => void;
  onPan: (part: number) => void;
  onReset: () => void;
  onFollow: (pixel: { x: number; y: number }) => void;
}

/** The chart by keyboard: arrows go from point to point and announce them, Shift moves, plus and minus zoom, Escape shows all. */
export function PointCursor({ chart, model, picture, look, zoom, size, name, onZoom, onPan, onReset, onFollow }: PointCursorProps) {
  const [at, setAt] = useState(-1);
  const [text, setText] = useState('');
  const first = picture.drawings.find(({ at: points }) => points.length > 0);
  const count = first?.at.length ?? 0;
  const pixelOf = (next: number): { x: number; y: number } | null => {
    if (!chart || first?.at[next] === undefined) return null;
    const [across, up] = first.point(next);
    const [x, y] = chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [across || 0, up || 0]);
    return x === undefined || y === undefined ? null : { x, y };
  };
  const show = (next: number) => {
    const bounded = Math.min(Math.max(next, 0), count - 1);
    const pixel = pixelOf(bounded);
    setAt(bounded);
    if (!pixel || !chart || !first) return;
    chart.dispatchAction({ type: 'showTip', x: pixel.x, y: Math.min(Math.max(pixel.y, 30), size.height - 40) });
    setText(spoken(first.at[bounded] ?? 0));
  };
  const spoken = (point: number): string => {
    if (!first) return '';
    const view = { ...look, zoom, ...size, marks: [] };
    const place = first.series.x[point] ?? 0;
    const near = picture.pointsAt(picture.drawn.categories ? (picture.drawn.categories.placeOf(place) ?? 0) : place).slice(0, 10);
    const values = near.map(({ series, at: one }) => `${series.name} ${hoverText(model, view, series, one)}`);
    return `${factsOf(model, view, first.series, point).x}: ${values.join(', ')}`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.ctrlKey || event.altKey || event.metaKey ? null : actionOf(event.key, event.shiftKey);
    if (!step) return;
    event.preventDefault();
    step();
  };
  const actionOf = (key: string, isShift: boolean): (() => void) | null => {
    switch (key) {
      case 'ArrowRight':
        return () => (isShift ? onPan(0.25) : show(at + 1));
      case 'ArrowLeft':
        return () => (isShift ? onPan(-0.25) : show(at - 1));
      case 'PageDown':
        return () => show(at + Math.max(1, Math.round(count / 10)));
      case 'PageUp':
        return () => show(at - Math.max(1, Math.round(count / 10)));
      case 'Home':
        return () => show(0);
      case 'End':
        return () => show(count - 1);
      case '+':
      case '=':
        return () => onZoom(0.5);
      case '-':
        return () => onZoom(2);
      case '0':
      case 'Escape':
        return () => {
          chart?.dispatchAction({ type: 'hideTip' });
          onReset();
        };
      case 'Enter':
        return () => {
          const pixel = pixelOf(at);
          if (pixel) onFollow(pixel);
        };
      default:
        return null;
    }
  };
  if (count === 0) return null;
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.cursor}
      aria-label={`Points of ${name || 'the chart'}`}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={Math.max(1, at + 1)}
      aria-valuetext={text || `${count} points. Arrow keys go from point to point, plus and minus zoom.`}
      onKeyDown={onKeyDown}
      onBlur={() => chart?.dispatchAction({ type: 'hideTip' })}
    />
  );
}
