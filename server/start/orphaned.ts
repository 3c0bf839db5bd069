import { isRunByNpm } from '../config.ts';

/**
 * Asked to stop, npm tells only the shell it runs a script in, and the shell dies without passing it on: then the script
 * notices that it has another parent. One that was started by hand may outlive its shell.
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
