import type { MouseEvent } from 'react';

/** The pages we ship in public/help; an organisation may point `helpUrl` at its own, with the same names. */
export type HelpTopic = 'index' | 'getting-started' | 'queries' | 'account' | 'people';

const ownPages = '/help/';
let topic: HelpTopic | null = null;
const listeners = new Set<() => void>();

function openHelp(next: HelpTopic = 'index'): void {
  topic = next;
  tell();
}

export function closeHelp(): void {
  topic = null;
  tell();
}

export const openTopic = (): HelpTopic | null => topic;

export function onHelpChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** `https://docs.example` and `https://docs.example/` mean the same folder; a full page address is taken as it is. */
export function helpAddress(helpUrl: string, asked: HelpTopic = 'index'): string {
  const base = helpUrl || ownPages;
  if (/\.html?(\?|#|$)/.test(base)) return base;
  return `${base.endsWith('/') ? base : `${base}/`}${asked}.html`;
}

/** Screens 1.4: a plain click opens the drawer, Ctrl, Cmd and Shift open a tab as with any link. */
export function openHelpOnClick(event: MouseEvent, asked?: HelpTopic): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  openHelp(asked);
}
