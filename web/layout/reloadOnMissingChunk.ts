const storageKey = 'telltale:reloadedAt';
const pauseMs = 30_000;

/** After an update the code of a page may be gone under its old name: one reload brings the new console. */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (!navigator.onLine || Date.now() - last < pauseMs) return;
    event.preventDefault();
    sessionStorage.setItem(storageKey, String(Date.now()));
    location.reload();
  });
}
