import type { EChartsType } from 'echarts/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { gridRect, type Rect } from './gridRect.ts';
import type { DragMode } from './PlotTools.tsx';

/** A range of pixels inside the plot; null along an axis that the drag did not change. */
export interface Selection {
  across: [number, number] | null;
  up: [number, number] | null;
}

interface PlotDrag {
  mode: DragMode;
  onSelect: (selection: Selection) => void;
  /** Gets the movement since the last call, as parts of the plot. */
  onPan: (across: number, up: number) => void;
  onReset: () => void;
  onWheel: (factor: number, across: number, up: number) => void;
}

const leastPx = 6;
const [narrowPx, straightPx] = [768, 24];

/** visualizations 5.15: drag to zoom, Shift or the pan mode to move, double click for all; off at 768 px and less, and for touch. */
export function usePlotDrag(place: RefObject<HTMLElement | null>, chart: EChartsType | null, drag: PlotDrag): Rect | null {
  const [marked, mark] = useState<Rect | null>(null);
  const latest = useRef(drag);
  useEffect(() => {
    latest.current = drag;
  });
  useEffect(() => {
    const element = place.current;
    if (!element || !chart) return;
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch' || window.innerWidth <= narrowPx) return;
      if (!(event.target instanceof HTMLCanvasElement)) return;
      const rect = gridRect(chart);
      const start = pointIn(element, event);
      if (!rect || !isIn(rect, start)) return;
      const isPan = event.shiftKey !== (latest.current.mode === 'pan');
      follow(
        event,
        element,
        rect,
        start,
        isPan ? { onPan: (x, y) => latest.current.onPan(x, y) } : { mark, onSelect: (one) => latest.current.onSelect(one) },
      );
    };
    const wheel = (event: WheelEvent) => {
      // Scrolling the page must not zoom.
      if (!event.ctrlKey && !event.metaKey) return;
      const rect = gridRect(chart);
      const at = pointIn(element, event);
      if (!rect || !isIn(rect, at)) return;
      event.preventDefault();
      const [across, up] = [(at.x - rect.left) / (rect.right - rect.left), (rect.bottom - at.y) / (rect.bottom - rect.top)];
      latest.current.onWheel(Math.exp(Math.min(1, Math.max(-1, event.deltaY / 300))), across, up);
    };
    const reset = () => latest.current.onReset();
    element.addEventListener('pointerdown', down);
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('dblclick', reset);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('dblclick', reset);
    };
  }, [place, chart]);
  return marked;
}

interface Point {
  x: number;
  y: number;
}

function pointIn(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

const isIn = ({ left, right, top, bottom }: Rect, { x, y }: Point): boolean => x >= left && x <= right && y >= top && y <= bottom;

type Following =
  | { onPan: (across: number, up: number) => void }
  | { mark: (rect: Rect | null) => void; onSelect: (selection: Selection) => void };

function follow(event: PointerEvent, element: HTMLElement, rect: Rect, start: Point, following: Following): void {
  const stop = new AbortController();
  let last = start;
  let frame = 0;
  const clamped = (moved: PointerEvent): Point => {
    const { x, y } = pointIn(element, moved);
    return { x: Math.min(Math.max(x, rect.left), rect.right), y: Math.min(Math.max(y, rect.top), rect.bottom) };
  };
  const move = (moved: PointerEvent) => {
    cancelAnimationFrame(frame);
    // Updates once a frame: drawing takes longer than the interval between mouse moves.
    frame = requestAnimationFrame(() => {
      if ('mark' in following) {
        const area = areaOf(rect, start, clamped(moved));
        following.mark(area && { ...area.rect });
        return;
      }
      const to = pointIn(element, moved);
      following.onPan((last.x - to.x) / (rect.right - rect.left), (to.y - last.y) / (rect.bottom - rect.top));
      last = to;
    });
  };
  const up = (moved: PointerEvent) => {
    stop.abort();
    cancelAnimationFrame(frame);
    if (!('mark' in following)) return;
    following.mark(null);
    const area = moved.type === 'pointerup' ? areaOf(rect, start, clamped(moved)) : null;
    if (area) following.onSelect(area.selection);
  };
  event.preventDefault();
  element.setPointerCapture(event.pointerId);
  element.addEventListener('pointermove', move, { signal: stop.signal });
  element.addEventListener('pointerup', up, { signal: stop.signal });
  element.addEventListener('pointercancel', up, { signal: stop.signal });
}

/** A drag along one axis does not change the other. */
function areaOf(rect: Rect, from: Point, to: Point): { rect: Rect; selection: Selection } | null {
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  if (width < leastPx && height < leastPx) return null;
  const across: [number, number] | null = width >= straightPx || width >= height ? [Math.min(from.x, to.x), Math.max(from.x, to.x)] : null;
  const up: [number, number] | null = height >= straightPx || height > width ? [Math.min(from.y, to.y), Math.max(from.y, to.y)] : null;
  return {
    selection: { across, up },
    rect: { left: across?.[0] ?? rect.left, right: across?.[1] ?? rect.right, top: up?.[0] ?? rect.top, bottom: up?.[1] ?? rect.bottom },
  };
}
