import { workerData } from 'node:worker_threads';

/**
 * A thread of its own beside an engine that blocks the process: when nobody is left to wait for the answer, or the
 * memory is out of hand, the process ends, whatever it is doing.
 */
export interface Watched {
  parentPid: number;
  largestResidentBytes: number;
}

const { parentPid, largestResidentBytes }: Watched = workerData;

setInterval(() => {
  if (process.ppid !== parentPid || process.memoryUsage.rss() > largestResidentBytes) process.kill(process.pid, 'SIGKILL');
}, 500);
