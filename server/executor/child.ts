import { keepCompileCache, useCompileCache } from '../platform/compile-cache.ts';

// An executor starts while a user waits: compiling unchanged code would take half of its start.
useCompileCache();
await import('./tasks.ts');
keepCompileCache();
