import { workerData } from 'node:worker_threads';

/**
 * Settings of a thread beside an engine that blocks the process: it ends the process when the parent is gone or the memory is out of
 * control.
 */
export interface Watched {
  parentPid: number;
  largestResidentBytes: number;
}

const { parentPid, largestResidentBytes }: Watched = workerData;

setInterval(() => {
  if (process.ppid !== parentPid || process.memoryUsage.rss() > largestResidentBytes) process.kill(process.pid, 'SIGKILL');
}, 500);
