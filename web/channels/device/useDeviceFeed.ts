import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { useEffect, useState } from 'react';
import { watchUplinks } from '../../api/live/live.ts';
import type { UplinkState } from '../../api/live/UplinkFeed.ts';

export interface DeviceFeed {
  state: UplinkState;
  /** The newest first, each once. */
  records: readonly UplinkRecord[];
  refused: string | null;
  /** Null until it is reported. */
  online: boolean | null;
  /** The number of records that came too fast to be sent one by one; they are stored like all others. */
  dropped: number;
  /** Counts the events of commands to the device. */
  commands: number;
}

const mostKept = 200;
/** Faster updates would not be readable. */
const drawEveryMs = 100;

/** The reports of one device while its page is open. */
export function useDeviceFeed(channel: string, device: string): DeviceFeed {
  const [state, setState] = useState<UplinkState>('connecting');
  const [records, setRecords] = useState<readonly UplinkRecord[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const [online, setOnline] = useState<boolean | null>(null);
  const [dropped, setDropped] = useState(0);
  const [commands, setCommands] = useState(0);
  useEffect(() => {
    let kept: readonly UplinkRecord[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawnAt = 0;
    const draw = () => {
      timer = undefined;
      drawnAt = performance.now();
      setRecords(kept);
    };
    setRefused(null);
    setRecords([]);
    setOnline(null);
    setDropped(0);
    const end = watchUplinks(
      { channel, devices: [device], tail: 20 },
      {
        onState: setState,
        onUplinks: (added) => {
          kept = withRecords(kept, added);
          // The first record is drawn at once, the following ones together.
          timer ??= setTimeout(draw, Math.max(0, drawnAt + drawEveryMs - performance.now()));
        },
        onGap: (_, count) => setDropped((before) => before + count),
        onCommand: () => setCommands((before) => before + 1),
        onOnline: (_, isOnline) => setOnline(isOnline),
        onRefused: setRefused,
      },
    );
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [channel, device]);
  return { state, records, refused, online, dropped, commands };
}

function withRecords(before: readonly UplinkRecord[], added: readonly UplinkRecord[]): readonly UplinkRecord[] {
  // A repetition is shown beside its original.
  const byId = new Map([...before, ...added].map((record) => [`${record.uplink_id} ${record.status}`, record]));
  return [...byId.values()].sort((a, b) => (a.uplink_id < b.uplink_id ? 1 : -1)).slice(0, mostKept);
}
