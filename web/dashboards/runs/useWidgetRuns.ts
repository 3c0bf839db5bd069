import { useEffect, useState } from 'react';
import { nextFrame } from '../../api/nextFrame.ts';
import { faultOf } from '../../queries/run/resultOf.ts';
import { WidgetRuns } from './WidgetRuns.ts';

/** One for each dashboard on the screen; leaving the dashboard stops all requests. */
export function useWidgetRuns(ids: readonly number[]): WidgetRuns {
  const [runs] = useState(() => new WidgetRuns(async (error) => (await faultOf(error)).message, { nextFrame }));
  useEffect(() => () => runs.stop(), [runs]);
  useEffect(() => runs.keepOnly(new Set(ids)), [runs, ids]);
  return runs;
}
