import { useEffect, useMemo, useState } from 'react';
import type { DisplaySettings } from '../../displaySettings.ts';
import type { ResultTable } from '../../resultTable.ts';
import { finish, runSliced } from '../../table/view/sliced.ts';
import type { PivotOptions } from '../pivotOptions.ts';
import type { Attribute } from './attribute.ts';
import { type PivotData, type PivotRequest, pivotData, type TooMany } from './pivotData.ts';
import { pivotRequest } from './pivotRequest.ts';

const fewEnough = 5000;

/** A computed pivot with its request: while a new one is computed, the former keeps its own headings. */
export interface MadePivot {
  request: PivotRequest;
  data: PivotData | TooMany;
}

interface PivotState {
  made: MadePivot | null;
  /** The progress of a new pivot; the former one is shown meanwhile. */
  progress: number | null;
  known: Map<string, Attribute>;
}

/** Computed at once where that is quick, else in slices; computed columns are kept as long as the rows are the same. */
export function usePivotData(table: ResultTable, options: PivotOptions, settings: DisplaySettings): PivotState {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, other codes
  const known = useMemo(() => new Map<string, Attribute>(), [table, settings]);
  const { rows, cols, vals, aggregatorName, valueFilter, hiddenAttributes, hiddenFromAggregators } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the figures depend on; how they are drawn changes nothing
  const request = useMemo(
    () => pivotRequest(table, options, settings, known),
    [table, settings, known, rows, cols, vals, aggregatorName, valueFilter, hiddenAttributes, hiddenFromAggregators],
  );
  const quick = useMemo(
    (): MadePivot | null => (request.rows.length <= fewEnough ? { request, data: finish(pivotData(request)) } : null),
    [request],
  );
  const [slow, setSlow] = useState<MadePivot | null>(null);
  const [progress, setProgress] = useState(0);

  useEffect(() => {
    if (quick) return;
    const work = new AbortController();
    setProgress(0);
    void runSliced(pivotData(request), { signal: work.signal, onProgress: setProgress }).then((data) => {
      if (data && !work.signal.aborted) setSlow({ request, data });
    });
    return () => work.abort();
  }, [request, quick]);

  const isReady = quick !== null || slow?.request === request;
  return { made: quick ?? slow, progress: isReady ? null : progress, known };
}
