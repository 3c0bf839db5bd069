import { useMemo } from 'react';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import { useChartColors } from '../echarts/EChart.tsx';
import type { ChartOptions } from './chartOptions.ts';
import type { Look } from './draw/view.ts';
import { textsOf } from './model/texts.ts';
import { useHasPatterns } from './useHasPatterns.ts';

export function useLook(options: ChartOptions, settings: DisplaySettings, count: number, isMomentX: boolean): Look {
  const colors = useChartColors();
  const hasPatterns = useHasPatterns();
  return useMemo(
    () => ({ options, colors, count, isMomentX, hasPatterns, texts: textsOf(options, settings), separators: separatorsOf(settings) }),
    [options, colors, count, isMomentX, hasPatterns, settings],
  );
}
