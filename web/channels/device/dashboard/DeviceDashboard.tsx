import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { type DeviceWidget, deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useRead, useWrite } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../../ui/FormSkeleton.tsx';
import { useDisplays } from '../../attributes/useAttributes.ts';
import { deviceAt } from '../../useChannels.ts';
import { useLastValues, useSparklines } from '../data/useDeviceData.ts';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import { FeedTile } from './FeedTile.tsx';
import { arranged } from './gridLayout.ts';
import { LiveGrid } from './LiveGrid.tsx';
import { ValueTile } from './ValueTile.tsx';

/** A pause that makes an arrow key held down one move. */
const saveAfterMs = 300;

/** D2: a ready-made live grid: every value of the device, and its uplinks as they come. */
export default function DeviceDashboard({ device, feed }: { device: DeviceDetail; feed: DeviceFeed }) {
  const params = deviceAt(device);
  const displayOf = useDisplays(device.channel_id);
  const { values, isPending } = useLastValues(device, feed);
  const { pointsOf, seconds, spanText } = useSparklines(device, feed);
  const layout = useRead(deviceDataApi.layout, { params });
  const save = useWrite(deviceDataApi.saveLayout, { refresh: [deviceDataApi.layout], failed: 'Widget cannot be updated' });
  const [moved, setMoved] = useState<readonly DeviceWidget[] | null>(null);
  const saveSoon = useLastOnly(saveAfterMs);
  const saved = moved ?? layout.data?.widgets;
  const names = values.map(({ attribute }) => attribute).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only names decide where tiles stand, values change all the time
  const widgets = useMemo(() => arranged(saved ?? [], values), [saved, names]);

  if (layout.error && !layout.data) return <ErrorState error={layout.error} onRetry={layout.refetch} />;
  if (isPending || layout.isPending) return <FormSkeleton rows={4} />;
  if (values.length === 0) return <EmptyState>This device has not reported yet. Its values appear here as soon as it does.</EmptyState>;

  const place = (placed: DeviceWidget[]) => {
    setMoved(placed);
    // A layout that could not be saved goes back to the former one.
    saveSoon(() => save.mutate({ params, body: { widgets: placed } }, { onError: () => setMoved(null) }));
  };
  const tileOf = ({ attribute }: DeviceWidget) => {
    if (attribute === null) return <FeedTile device={device} />;
    const value = values.find((one) => one.attribute === attribute);
    return (
      value && <ValueTile value={value} display={displayOf(attribute)} points={pointsOf(attribute)} seconds={seconds} spanText={spanText} />
    );
  };
  return <LiveGrid widgets={widgets} tileOf={tileOf} onPlace={place} />;
}

/** Runs only the last of several quick calls, a moment later; at once where the page is left. */
function useLastOnly(afterMs: number): (run: () => void) => void {
  const waiting = useRef<{ run: () => void; timer: ReturnType<typeof setTimeout> } | null>(null);
  const settle = () => {
    const due = waiting.current;
    waiting.current = null;
    clearTimeout(due?.timer);
    due?.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is left
  useEffect(() => settle, []);
  return (run) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = { run, timer: setTimeout(settle, afterMs) };
  };
}
