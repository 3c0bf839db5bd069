import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startExecutors } from '../../connectors/testing/executors.ts';

/**
 * A worker that runs out of files, loses its warm executor, and then has files again: `sh -c 'ulimit -n 100; exec node
 * scarce-files.ts {"type": "pg", …}'`. Prints how a query ended before, meanwhile and afterwards.
 */
const source = JSON.parse(process.argv[2] ?? '{}');
const executors = startExecutors();
const run = () =>
  executors.run(source, 'select 1 as a').then(
    ({ rows }) => rows,
    (error: Error) => error.message,
  );
const before = await run();
const pids = await executors.pids();
const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {} // no file descriptors are left
for (const pid of pids) process.kill(pid, 'SIGKILL');
await wait(500);
const meanwhile = await run();
for (const file of taken) closeSync(file);
console.log(JSON.stringify([before, meanwhile, await run()]));
await executors.close();
