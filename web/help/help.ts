import type { MouseEvent } from 'react';

/** The pages we ship in public/help; an organisation may point `helpUrl` at its own, with the same names. */
export type HelpTopic =
  | 'index'
  | 'getting-started'
  | 'devices'
  | 'queries'
  | 'parameters'
  | 'dashboards'
  | 'charts'
  | 'sources'
  | 'account'
  | 'people'
  | 'alerts'
  | 'commands';

/** The topic of each page, by how its address begins; the first that fits. */
const topics: readonly (readonly [string, HelpTopic])[] = [
  ['/users/me', 'account'],
  ['/users', 'people'],
  ['/groups', 'people'],
  ['/queries', 'queries'],
  ['/sql', 'queries'],
  ['/query_snippets', 'queries'],
  ['/dashboards', 'dashboards'],
  ['/dashboard', 'dashboards'],
  ['/mqtt', 'devices'],
  ['/console/channels', 'devices'],
  ['/networks', 'devices'],
  ['/data_sources', 'sources'],
  ['/alerts', 'alerts'],
  ['/destinations', 'alerts'],
  ['/commands', 'commands'],
];

/** Help opens on the topic of the page that somebody is on. */
export function topicOf(pathname: string): HelpTopic {
  if (pathname === '/') return 'getting-started';
  return topics.find(([start]) => pathname === start || pathname.startsWith(`${start}/`))?.[1] ?? 'index';
}

const ownPages = '/help/';
const ownIndex = `${ownPages}index.html`;
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
  const base = helpUrl === '' || helpUrl === ownIndex ? ownPages : helpUrl;
  if (/\.html?(\?|#|$)/.test(base)) return base;
  return `${base.endsWith('/') ? base : `${base}/`}${asked}.html`;
}

/** Screens 1.4: a plain click opens the drawer, Ctrl, Cmd and Shift open a tab as with any link. */
export function openHelpOnClick(event: MouseEvent, asked?: HelpTopic): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  openHelp(asked);
}
