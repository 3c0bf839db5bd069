import { enableCompileCache, flushCompileCache } from 'node:module';
import { resolve } from 'node:path';

/** Beside the code, because it is as trusted as the code; where that cannot be written the start is only slower. */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/telltale');

/** Before anything else is loaded, so that everything from then on is quick the next time. */
export const useCompileCache = () => enableCompileCache(folder);

/** A process that is killed would never write it. */
export const keepCompileCache = () => void setTimeout(flushCompileCache, 2000).unref();
