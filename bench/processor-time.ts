import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux reports processor times in /proc in this unit on every machine (USER_HZ). */
const ticksPerSecond = 100;

/**
 * Returns the processor seconds that the processes started by this one use while `work` runs, this one excepted. Other work on the machine
 * makes everything take longer and changes this little, so it can be bounded where times cannot. Linux only.
 */
export async function processorSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = usedByChildren();
  await work();
  // A process that is just ending is counted neither by itself nor, yet, by its parent.
  await sleep(200);
  return usedByChildren() - before;
}

function usedByChildren(): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const below = (pid: number): typeof processes =>
    processes.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(process.pid).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** The fields of proc(5) after the name, which may contain blanks; children that have ended count for their parent. */
function statOf(pid: number): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
