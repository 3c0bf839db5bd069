import { isFetchingAhead } from '../ui/fetchAhead.ts';

const storageKey = 'telltale:reloadedAt';
const pauseMs = 30_000;

/** After an update the code of a page may be gone under its old name: one reload brings the new console. */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (!isFetchingAhead() && Date.now() - last >= pauseMs) void reloadWhereServed();
  });
}

/** Not while the server is away, as when it restarts: the browser's own error page would take our place. */
async function reloadWhereServed(): Promise<void> {
  const isServed = await fetch('/ping', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isServed) return;
  sessionStorage.setItem(storageKey, String(Date.now()));
  location.reload();
}
