import { isRangeType, type QueryParameter, typeOf } from '@telltale/domain/parameters/contract.ts';
import dayjs from 'dayjs';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import type { ParameterState } from '../../queries/parameters/useParameterValues.ts';
import { ChartMarksGroup } from '../../visualizations/chart/ChartMarks.tsx';
import { markOf, useAnnotations } from './useAnnotations.ts';

interface DashboardMarksProps {
  dashboardId: number;
  definitions: readonly QueryParameter[];
  values: ParameterState;
  children: ReactNode;
}

const formats: Readonly<Record<string, string>> = {
  'date-range': 'YYYY-MM-DD',
  'datetime-range': 'YYYY-MM-DD HH:mm',
  'datetime-range-with-seconds': 'YYYY-MM-DD HH:mm:ss',
};

/** What the time charts of a dashboard share: marks, and a way from a dragged stretch of time to the dashboard's time range. */
export function DashboardMarks({ dashboardId, definitions, values, children }: DashboardMarksProps) {
  const annotations = useAnnotations(dashboardId);
  const marks = useMemo(() => annotations.map(markOf), [annotations]);
  const range = definitions.find((one) => isRangeType(typeOf(one)));
  const latest = useRef({ range, values });
  latest.current = { range, values };
  const setRange = useCallback((from: number, to: number) => {
    const { range: chosen, values: state } = latest.current;
    const format = chosen && formats[typeOf(chosen)];
    // Parameters are said in the zone of who looks.
    if (chosen && format) state.choose(chosen.name, { start: dayjs(from).format(format), end: dayjs(to).format(format) });
  }, []);
  return (
    <ChartMarksGroup marks={marks} onRange={range ? setRange : null}>
      {children}
    </ChartMarksGroup>
  );
}
