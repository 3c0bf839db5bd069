import { withSeconds } from '@telltale/domain/visualizations/date-format.ts';
import { useMemo } from 'react';
import { type DisplaySettings, displayReader, separatorsOf } from '../displaySettings.ts';
import { useChartColors } from '../echarts/EChart.tsx';
import type { ChartOptions } from './chartOptions.ts';
import type { Look } from './draw/view.ts';
import { figurePrinter } from './model/figurePrinter.ts';
import { textsOf } from './model/texts.ts';
import type { SeriesTold } from './model/told.ts';
import { useHasPatterns } from './useHasPatterns.ts';

interface Told extends SeriesTold {
  count: number;
  isMomentX: boolean;
}

/** How a chart looks; moments are told with seconds where the data has some and nobody has chosen another format. */
export function useLook(options: ChartOptions, settings: DisplaySettings, { count, isMomentX, figures, hasSeconds }: Told): Look {
  const colors = useChartColors();
  const hasPatterns = useHasPatterns();
  return useMemo(() => {
    const isOwn = options.dateTimeFormat !== settings.dateTimeFormat;
    const dateTimeFormat = hasSeconds && !isOwn ? withSeconds(options.dateTimeFormat) : options.dateTimeFormat;
    const texts = textsOf({ ...options, dateTimeFormat }, settings);
    const figure = figurePrinter(options, settings, figures);
    return {
      options,
      colors,
      count,
      isMomentX,
      hasPatterns,
      texts,
      figure,
      displayOf: displayReader(settings),
      separators: separatorsOf(settings),
    };
  }, [options, colors, count, isMomentX, hasPatterns, figures, hasSeconds, settings]);
}
