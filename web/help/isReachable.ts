/** Q9: a help page has 20 seconds to answer. */
export const timeoutMs = 20_000;

/** Whether the address answers; for our own server also whether it has the page. */
export async function isReachable(address: string, signal: AbortSignal): Promise<boolean> {
  const url = new URL(address, location.href);
  const isOwn = url.origin === location.origin;
  try {
    const response = await fetch(url, {
      mode: isOwn ? 'same-origin' : 'no-cors',
      credentials: isOwn ? 'same-origin' : 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return response.ok || response.type === 'opaque';
  } catch {
    return false;
  }
}
