import type { RunEnd } from './useQueryRun.ts';

const isSupported = () => typeof Notification !== 'undefined';

/** Screens 1.4: asks for the permission at the first run, when its purpose is clear. */
export function askToNotify(): void {
  if (isSupported() && Notification.permission === 'default') void Notification.requestPermission().catch(() => {});
}

/** Screens 1.4: notifies users who look elsewhere that the query is done. */
export function notifyWhenHidden(name: string, end: RunEnd | null): void {
  if (!end || !document.hidden || !isSupported() || Notification.permission !== 'granted') return;
  const body = end.fault ? `${name} failed to run: ${end.fault.message}` : `${name} updated.`;
  try {
    const notice = new Notification('Telltale', { body, tag: `query ${name}` });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // Some mobile browsers only let service workers notify.
  }
}
