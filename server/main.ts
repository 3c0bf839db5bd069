import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decideBundle } from './platform/bundle.ts';
import { useCompileCache } from './platform/compile-cache.ts';
import { findBundle } from './start/find-bundle.ts';

useCompileCache();

const bundle = decideBundle(findBundle);
const { run } = (await import(bundle ? pathToFileURL(join(bundle, 'run.js')).href : './start/run.ts')) as typeof import('./start/run.ts');
await run(process.argv.slice(2));
