import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Before anything else is loaded, so that everything from then on is quick the next time. Beside the code, because it is
 * as trusted as the code; where that cannot be written the start is only slower.
 */
export function useCompileCache(): void {
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/telltale', import.meta.url)));
}

/** A process that is killed would never write it. */
export const keepCompileCache = () => void setTimeout(flushCompileCache, 2000).unref();
