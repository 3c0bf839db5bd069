import { afterAll } from 'vitest';
import { stopFileConsole } from './file-console.ts';

// Vitest runs this for each file, while the modules of support/ are loaded once for all files of a process.
afterAll(stopFileConsole);
