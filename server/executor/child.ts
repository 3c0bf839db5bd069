import { keepCompileCache, useCompileCache } from '../platform/compile-cache.ts';

// An executor is started while somebody waits for it: half of its start would be to compile what never changes.
useCompileCache();
await import('./tasks.ts');
keepCompileCache();
