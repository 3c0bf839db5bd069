import { enableCompileCache, flushCompileCache } from 'node:module';
import { resolve } from 'node:path';

/** The cache lies beside the code, because it is as trusted as the code; where it cannot be written the start is only slower. */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/telltale');

/**
 * The same cache for a process that is started: from the environment it also covers the first file, whose types are otherwise stripped at
 * each start. Loading the program that strips them takes longer than the start of Node itself.
 */
export const compileCacheEnvironment = { NODE_COMPILE_CACHE: folder };

/** Called before anything else is loaded, so that everything loads faster the next time. */
export const useCompileCache = () => enableCompileCache(folder);

/** Writes the cache early, because a killed process would never write it. */
export const keepCompileCache = () => void setTimeout(flushCompileCache, 2000).unref();
