import { useEffect } from 'react';
import { watchReadings } from '../../api/live/live.ts';
import type { ShownWidget } from '../shownWidget.ts';
import type { WidgetRuns } from './WidgetRuns.ts';

const lastValuesMs = 1500;

/** Whether a widget runs again whenever devices report. */
export const isFollowing = ({ options, visualization }: ShownWidget): boolean =>
  options.follows_readings === true && visualization?.query.reads_devices === true;

/** Widgets that follow new readings run again when there are some; what came while nobody looked is asked for on the way back. */
export function useFollowing(runs: WidgetRuns, widgets: readonly ShownWidget[]): void {
  const ids = widgets
    .filter(isFollowing)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (ids === '') return;
    let isBehind = false;
    let trailing: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      isBehind = document.hidden;
      if (!isBehind) for (const id of ids.split(' ')) runs.follow(Number(id));
    };
    const onReadings = () => {
      follow();
      // Last values are written up to a second after the readings themselves: the last news is followed by one more look.
      clearTimeout(trailing);
      trailing = setTimeout(follow, lastValuesMs);
    };
    const onLook = () => isBehind && onReadings();
    const stop = watchReadings(onReadings);
    document.addEventListener('visibilitychange', onLook);
    return () => {
      stop();
      clearTimeout(trailing);
      document.removeEventListener('visibilitychange', onLook);
    };
  }, [runs, ids]);
}
