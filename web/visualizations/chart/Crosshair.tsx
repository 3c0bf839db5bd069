import type { EChartsType } from 'echarts/core';
import { type RefObject, useEffect } from 'react';
import styles from './Chart.module.css';
import { useCrosshair } from './CrosshairGroup.tsx';
import { gridRect } from './gridRect.ts';

/** Reports the pointer's time to the group, and draws the time pointed at in another chart. */
export function Crosshair({ place, chart, isUsed }: { place: RefObject<HTMLElement | null>; chart: EChartsType | null; isUsed: boolean }) {
  const { time, point } = useCrosshair();
  useEffect(() => {
    const element = place.current;
    if (!element || !chart || !isUsed) return;
    const move = ({ clientX, clientY }: PointerEvent) => {
      const { left, top } = element.getBoundingClientRect();
      const [x, y] = [clientX - left, clientY - top];
      point(chart.containPixel({ gridIndex: 0 }, [x, y]) ? Number(chart.convertFromPixel({ xAxisIndex: 0 }, x)) : null);
    };
    const leave = () => point(null);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerleave', leave);
    return () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerleave', leave);
      point(null);
    };
  }, [place, chart, isUsed, point]);
  if (time === null || !chart || !isUsed) return null;
  const rect = gridRect(chart);
  const x = Number(chart.convertToPixel({ xAxisIndex: 0 }, time));
  if (!rect || !(x >= rect.left && x <= rect.right)) return null;
  return <div className={styles.crosshair} style={{ left: x, top: rect.top, height: rect.bottom - rect.top }} />;
}
