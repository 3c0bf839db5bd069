import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { bundleFolder } from '../platform/bundle.ts';
import { statFields } from '../platform/is-alive.ts';
import { type RoleName, roleNames } from '../platform/role.ts';

export { isAlive } from '../platform/is-alive.ts';

/** The setting that lets a console without pages (TELLTALE_DEV) run from the bundle of the tests, which loads in a third of the time. */
export const runsBundle = (): Record<string, string> => ({ TELLTALE_BUNDLE: bundleFolder() ?? '' });

interface Process {
  pid: number;
  parent: number;
  /** Empty for a process that has ended and was not collected yet. */
  command: string;
}

/** Linux tells it in files: tests ask up to fifty times a second, and starting `ps` so often kept a processor busy. */
const listProcesses = (): Process[] => (process.platform === 'linux' ? readProcesses() : askForProcesses());

function readProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const parent = /^\d+$/.test(name) ? statFields(Number(name))?.[1] : undefined;
    return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent), command: readCommand(name) }];
  });
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
  } catch {
    return '';
  }
}

function askForProcesses(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** Pids of this process's children whose command line contains these words. */
export const childrenOf = (parent: number, words: string): number[] =>
  listProcesses().flatMap((one) => (one.parent === parent && one.command.includes(words) ? [one.pid] : []));

/** A process and everything below it: roles, executors, PostgreSQL and its own children. */
export function familyOf(pid: number): number[] {
  const all = listProcesses();
  const below = (parent: number): number[] => all.filter((one) => one.parent === parent).flatMap((one) => [one.pid, ...below(one.pid)]);
  return [pid, ...below(pid)];
}

/** The role processes of a parent, by role. */
export function rolesOf(parent: number): Partial<Record<RoleName, number>> {
  return Object.fromEntries(roleNames.flatMap((role) => childrenOf(parent, `main.ts ${role}`).map((pid) => [role, pid])));
}

/** The peak memory of a process, where the kernel reports it. */
export function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
