import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { hasNotices, type Notice, type NoticeOptions, onNotice, pushNotice } from '../api/noticeQueue.ts';
import { lazyPart } from './lazyPart.tsx';

const open =
  (kind: Notice['kind']) =>
  (title: ReactNode, options: NoticeOptions = {}): void =>
    pushNotice({ open: { kind, title, ...options } });

/** Q2: notifications stand bottom right for 3 seconds; `duration: 0` keeps one until it is closed. */
export const notify = {
  success: open('success'),
  error: open('error'),
  warning: open('warning'),
  info: open('info'),
  close: (key: string) => pushNotice({ close: key }),
};

const host = lazyPart(() => import('./NoticeHost.tsx').then((m) => m.NoticeHost));
let isHostWanted = false;

/** Placed once in the frame. The drawing code is loaded after the first page, but before the first notice: that may be "offline". */
export function Notices() {
  const isWanted = useSyncExternalStore(onNotice, () => {
    isHostWanted ||= hasNotices();
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
