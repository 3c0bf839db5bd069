import './parts.ts';
import { type EChartsCoreOption, type EChartsType, init } from 'echarts/core';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useThemeName } from '../../theme/themeChoice.ts';
import { type ChartColors, chartColors } from './chartColors.ts';
import { chartTheme } from './chartTheme.ts';
import styles from './EChart.module.css';

interface EChartProps {
  /** Replaces the one before as a whole. */
  option: EChartsCoreOption;
  /** In words what the picture shows, for those who do not see it. */
  label: string;
  /** In a place without a height of its own (visualizations 1.2). */
  height?: number;
  /** Once per instance: events, actions. What it gives back runs before the instance goes. */
  onReady?: ((chart: EChartsType) => (() => void) | undefined) | undefined;
  /** What floats over the picture, such as the mode bar. */
  children?: ReactNode;
}

/** A picture of ECharts: it has the size of its place, the theme of the page, and goes with its component. */
export function EChart({ option, label, height = 400, onReady, children }: EChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useThemeName();
  const [chart, setChart] = useState<EChartsType | null>(null);
  /** What a new instance begins with, then what it was drawn with. */
  const drawn = useRef(theme);

  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    let made: EChartsType | null = null;
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = element;
      // A hidden tab has no size, and ECharts cannot draw into nothing.
      if (width === 0 || height === 0) return;
      if (made) made.resize({ width, height });
      else {
        made = init(element, chartTheme(drawn.current), { renderer: 'canvas', width, height });
        setChart(made);
      }
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => {
      observer.disconnect();
      setChart(null);
      made?.dispose();
    };
  }, []);

  useLayoutEffect(() => {
    chart?.setOption({ animation: false, ...option }, { notMerge: true });
  }, [chart, option]);

  // After the option: a chart without one forgets its theme.
  useLayoutEffect(() => {
    if (!chart || drawn.current === theme) return;
    drawn.current = theme;
    chart.setTheme(chartTheme(theme));
  }, [chart, theme]);

  useEffect(() => (chart ? onReady?.(chart) : undefined), [chart, onReady]);

  return (
    <div className={styles.chart} style={{ flexBasis: height }}>
      <div ref={place} className={styles.place} role="img" aria-label={label} />
      {children}
    </div>
  );
}

/** The colours of the page's theme, for what an option states itself. */
export function useChartColors(): ChartColors {
  const theme = useThemeName();
  return useMemo(() => chartColors(theme), [theme]);
}
