import type { ReactNode } from 'react';

export interface NoticeOptions {
  description?: ReactNode;
  /** Seconds; 0 keeps it open. */
  duration?: number;
  /** A second notice with the same key replaces the first; `close` removes it. */
  key?: string;
  onClick?: () => void;
  /** Shown at the top on phones: for long-lived notices that a button at the end of a form triggers. */
  isAboveOnPhones?: boolean;
}

export type Notice = { kind: 'success' | 'error' | 'warning' | 'info'; title: ReactNode } & NoticeOptions;
export type NoticeStep = { open: Notice } | { close: string };

/** Notices wait here for the component that draws them, wherever in the code they come from. */
let queue: readonly NoticeStep[] = [];
const listeners = new Set<() => void>();

export function pushNotice(step: NoticeStep): void {
  queue = [...queue, step];
  for (const listener of listeners) listener();
}

export function takeNotices(): readonly NoticeStep[] {
  const taken = queue;
  queue = [];
  return taken;
}

export const hasNotices = (): boolean => queue.length > 0;

export function onNotice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
