import { createContext, type ReactNode, useContext, useMemo } from 'react';

/** A moment, or a span, that is marked on time charts. */
export interface TimeMark {
  key: string;
  at: number;
  until: number | null;
  text: string;
  tone: 'note' | 'danger' | 'ok' | 'muted';
}

interface ChartMarks {
  marks: readonly TimeMark[];
  /** Where a stretch of time that somebody drags over can be applied to more than one chart; null where it cannot. */
  onRange: ((from: number, to: number) => void) | null;
}

const nothing: ChartMarks = { marks: [], onRange: null };
const Marks = createContext<ChartMarks>(nothing);

/** Around charts that share a time: the widgets of a dashboard. */
export function ChartMarksGroup({ marks, onRange, children }: ChartMarks & { children: ReactNode }) {
  return <Marks value={useMemo(() => ({ marks, onRange }), [marks, onRange])}>{children}</Marks>;
}

export const useChartMarks = (): ChartMarks => useContext(Marks);
