import { use, useEffect, useState } from 'react';
import { type DeviceFeeds, withGap, withRecords } from './deviceFeeds.ts';
import { type FeedState, UplinkFeedContext } from './uplinkFeed.ts';
import type { UplinkOptions } from './uplinkOptions.ts';

interface LiveFeed {
  feeds: DeviceFeeds;
  state: FeedState;
  refused: string | null;
  retry: () => void;
}

/** Nobody reads faster than this. */
const drawEveryMs = 200;
const largestTail = 100;
const nothing: DeviceFeeds = new Map();

/** visualizations 18: one subscription as long as the options say the same. What comes while nobody looks is kept and shown later. */
export function useUplinkFeed({ channelid, device_ids, maxItems }: UplinkOptions): LiveFeed {
  const source = use(UplinkFeedContext);
  const [shown, setShown] = useState<{ of: string; feeds: DeviceFeeds }>({ of: '', feeds: nothing });
  const [state, setState] = useState<FeedState>('connecting');
  const [refused, setRefused] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const devices = device_ids.join('\n');
  const subscription = `${channelid}\n${devices}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another subscription
  useEffect(() => {
    if (!channelid || !devices) return;
    if (!source) {
      setState('offline');
      return;
    }
    let feeds: DeviceFeeds = nothing;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawnAt = Number.NEGATIVE_INFINITY;
    const draw = () => {
      clearTimeout(timer);
      timer = undefined;
      drawnAt = performance.now();
      if (!document.hidden) setShown({ of: subscription, feeds });
    };
    const keep = (next: DeviceFeeds) => {
      feeds = next;
      const left = drawnAt + drawEveryMs - performance.now();
      // The first one at once, a crowd together.
      if (timer === undefined && left <= 0) draw();
      else timer ??= setTimeout(draw, left);
    };
    setState('connecting');
    setRefused(null);
    document.addEventListener('visibilitychange', draw);
    const stop = source.start(
      { channel: channelid, devices: devices.split('\n'), tail: Math.min(maxItems, largestTail) },
      {
        onState: setState,
        onUplinks: (records) => keep(withRecords(feeds, records, maxItems)),
        onGap: (device, dropped) => keep(withGap(feeds, device, dropped)),
        onRefused: setRefused,
      },
    );
    return () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', draw);
    };
  }, [source, subscription, maxItems, attempt]);

  return { feeds: shown.of === subscription ? shown.feeds : nothing, state, refused, retry: () => setAttempt((before) => before + 1) };
}
