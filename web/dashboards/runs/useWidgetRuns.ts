import { useEffect, useState } from 'react';
import { faultOf } from '../../queries/run/resultOf.ts';
import { nextFrame } from '../../ui/nextFrame.ts';
import { WidgetRuns } from './WidgetRuns.ts';

/** One for each dashboard on the screen; nothing is asked any more when it is left. */
export function useWidgetRuns(ids: readonly number[]): WidgetRuns {
  const [runs] = useState(() => new WidgetRuns(async (error) => (await faultOf(error)).message, { nextFrame }));
  useEffect(() => () => runs.stop(), [runs]);
  useEffect(() => runs.keepOnly(new Set(ids)), [runs, ids]);
  return runs;
}
