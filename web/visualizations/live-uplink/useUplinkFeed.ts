import { type RefObject, use, useEffect, useRef, useState } from 'react';
import { type DeviceFeeds, withGap, withMissing, withRecords } from './deviceFeeds.ts';
import { type FeedState, UplinkFeedContext } from './uplinkFeed.ts';
import type { UplinkOptions } from './uplinkOptions.ts';

interface LiveFeed {
  feeds: DeviceFeeds;
  state: FeedState;
  refused: string | null;
  retry: () => void;
  /** The element of the picture: nothing is drawn while it is out of sight. */
  root: RefObject<HTMLDivElement | null>;
}

/** Faster updates would not be readable. */
const drawEveryMs = 100;
/** The largest tail of all devices together; the device's page has the rest. */
const largestTail = 500;
const nothing: DeviceFeeds = new Map();

/**
 * visualizations 18: one subscription as long as the options stay the same. Records that come while the picture is out of sight, in a
 * hidden tab or further down the page, are kept and shown later.
 */
export function useUplinkFeed({ channelid, device_ids, maxItems }: UplinkOptions): LiveFeed {
  const source = use(UplinkFeedContext);
  const [shown, setShown] = useState<{ of: string; feeds: DeviceFeeds }>({ of: '', feeds: nothing });
  const [state, setState] = useState<FeedState>('connecting');
  const [refused, setRefused] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const devices = device_ids.join('\n');
  const subscription = `${channelid}\n${devices}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another subscription, equal devices are the same one
  useEffect(() => {
    if (!channelid || !devices) return;
    if (!source) {
      setState('offline');
      return;
    }
    let feeds: DeviceFeeds = nothing;
    let drawn: DeviceFeeds = nothing;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawnAt = Number.NEGATIVE_INFINITY;
    let isInSight = true;
    const draw = () => {
      clearTimeout(timer);
      timer = undefined;
      if (document.hidden || !isInSight || drawn === feeds) return;
      drawnAt = performance.now();
      drawn = feeds;
      setShown({ of: subscription, feeds });
    };
    const sight = new IntersectionObserver((entries) => {
      isInSight = entries.at(-1)?.isIntersecting ?? true;
      draw();
    });
    if (root.current) sight.observe(root.current);
    const keep = (next: DeviceFeeds) => {
      feeds = next;
      const left = drawnAt + drawEveryMs - performance.now();
      // The first record is drawn at once, further ones together.
      if (timer === undefined && left <= 0) draw();
      else timer ??= setTimeout(draw, left);
    };
    setState('connecting');
    setRefused(null);
    document.addEventListener('visibilitychange', draw);
    const stop = source.start(
      { channel: channelid, devices: device_ids, tail: Math.min(maxItems, Math.ceil(largestTail / device_ids.length)) },
      {
        onState: setState,
        onUplinks: (records) => keep(withRecords(feeds, records, maxItems)),
        onGap: (device, dropped) => keep(withGap(feeds, device, dropped)),
        onMissing: (missing) => keep(withMissing(feeds, missing)),
        onRefused: setRefused,
      },
    );
    return () => {
      stop();
      sight.disconnect();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', draw);
    };
  }, [source, subscription, maxItems, attempt]);

  return {
    feeds: shown.of === subscription ? shown.feeds : nothing,
    state,
    refused,
    retry: () => setAttempt((before) => before + 1),
    root,
  };
}
