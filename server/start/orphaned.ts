import { isRunByNpm } from '../config.ts';

/**
 * When npm is asked to stop, it signals only the shell that runs the script, and the shell dies without passing it on: the script then
 * notices that its parent changed. A script that was started by hand may outlive its shell.
 */
export function onOrphanedByNpm(stop: () => void): void {
  if (!isRunByNpm()) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stop();
  }, 100);
  watch.unref();
}
