import './parts.ts';
import { type EChartsCoreOption, type EChartsType, init } from 'echarts/core';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useThemeName } from '../../theme/themeChoice.ts';
import { type ChartColors, chartColors } from './chartColors.ts';
import { chartTheme } from './chartTheme.ts';
import styles from './EChart.module.css';

interface EChartProps {
  /** Replaces the former option as a whole. */
  option: EChartsCoreOption;
  /** A description of the picture, for screen readers. */
  label: string;
  /** The height in a place without a height of its own (visualizations 1.2). */
  height?: number;
  /** Called once per instance, for events and actions. The function that it returns runs before the instance is disposed. */
  onReady?: ((chart: EChartsType) => (() => void) | undefined) | undefined;
  /** Parts that float over the picture, such as the mode bar. */
  children?: ReactNode;
}

/** A picture of ECharts: it has the size of its place and the theme of the page, and is disposed with its component. */
export function EChart({ option, label, height = 400, onReady, children }: EChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useThemeName();
  const [chart, setChart] = useState<EChartsType | null>(null);
  /** The theme for a new instance, then the one it was drawn with. */
  const drawn = useRef(theme);

  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    let made: EChartsType | null = null;
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = element;
      // A hidden tab has no size, and ECharts cannot draw without one.
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

  // Runs after the option is set: a chart without an option loses its theme.
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

/** The colours of the page's theme, for colours that an option sets itself. */
export function useChartColors(): ChartColors {
  const theme = useThemeName();
  return useMemo(() => chartColors(theme), [theme]);
}
