import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keepCompileCache, useCompileCache } from '../platform/compile-cache.ts';

// An executor starts while a user waits: compiling unchanged code would take half of its start.
useCompileCache();
// Its environment holds no settings, so the worker names the bundle here.
const [bundle] = process.argv.slice(2);
await import(bundle ? pathToFileURL(join(bundle, 'tasks.js')).href : './tasks.ts');
keepCompileCache();
