import type { ReactNode } from 'react';

export interface NoticeOptions {
  description?: ReactNode;
  /** Seconds; 0 keeps it. */
  duration?: number;
  /** A second notice with the same key replaces the first; `close` takes it. */
  key?: string;
  onClick?: () => void;
  /** On a phone at the top: for what stays long, and is told by a button at the end of a form. */
  isAboveOnPhones?: boolean;
}

export type Notice = { kind: 'success' | 'error' | 'warning' | 'info'; title: ReactNode } & NoticeOptions;
export type NoticeStep = { open: Notice } | { close: string };

/** What is to be shown waits here for the part that draws it, wherever in the code it was said. */
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
