import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { lazyPart } from './lazyPart.tsx';

/** Q2: notifications stand bottom right for 3 seconds; `duration: 0` keeps one until it is closed. */
export interface NoticeOptions {
  description?: ReactNode;
  /** Seconds; 0 keeps it. */
  duration?: number;
  /** A second notice with the same key replaces the first; `close` takes it. */
  key?: string;
  onClick?: () => void;
}

export type Notice = { kind: 'success' | 'error' | 'warning' | 'info'; title: ReactNode } & NoticeOptions;
export type NoticeStep = { open: Notice } | { close: string };

let queue: readonly NoticeStep[] = [];
const listeners = new Set<() => void>();

function push(step: NoticeStep): void {
  queue = [...queue, step];
  for (const listener of listeners) listener();
}

const open =
  (kind: Notice['kind']) =>
  (title: ReactNode, options: NoticeOptions = {}): void =>
    push({ open: { kind, title, ...options } });

export const notify = {
  success: open('success'),
  error: open('error'),
  warning: open('warning'),
  info: open('info'),
  close: (key: string) => push({ close: key }),
};

/** Takes what waits to be shown; the host calls it whenever the queue grew. */
export function takeNotices(): readonly NoticeStep[] {
  const taken = queue;
  queue = [];
  return taken;
}

export function onNotice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const host = lazyPart(() => import('./NoticeHost.tsx').then((m) => m.NoticeHost));
let isHostWanted = false;

/** Placed once in the frame. The drawing part comes after the first page, but before the first notice: that may be "offline". */
export function Notices() {
  const isWanted = useSyncExternalStore(onNotice, () => {
    isHostWanted ||= queue.length > 0;
    return isHostWanted;
  });
  useEffect(host.preloadWhenIdle, []);
  if (!isWanted) return null;
  return (
    <Suspense>
      <host.Part />
    </Suspense>
  );
}
