import { isServed } from '../api/refetchWhenServed.ts';
import { isFetchingAhead } from '../ui/fetchAhead.ts';

const storageKey = 'telltale:reloadedAt';
const pauseMs = 30_000;
const styleAgainMs = 1000;

/** After an update the code of a page may not exist under its old name: one reload loads the new console. */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (!isFetchingAhead() && Date.now() - last >= pauseMs) void reloadWhereServed();
    const [, style] = /preload CSS for (\S+)/.exec(payload.message) ?? [];
    if (style) addStyle(style);
  });
}

/** Vite asks for a style once only. When the server was away at that moment, the page would come without it at the next try. */
function addStyle(href: string): void {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  link.onerror = () => {
    link.remove();
    setTimeout(() => addStyle(href), styleAgainMs);
  };
  document.head.append(link);
}

/** Reloads only when the server answers: otherwise the browser's own error page would replace ours. */
async function reloadWhereServed(): Promise<void> {
  if (!(await isServed())) return;
  sessionStorage.setItem(storageKey, String(Date.now()));
  location.reload();
}
