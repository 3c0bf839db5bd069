import { execFileSync } from 'node:child_process';

interface Process {
  pid: number;
  parent: number;
  command: string;
}

function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** A process and everything below it: roles, executors, PostgreSQL and its own children. */
export function familyOf(pid: number): number[] {
  const all = listProcesses();
  const below = (parent: number): number[] => all.filter((one) => one.parent === parent).flatMap((one) => [one.pid, ...below(one.pid)]);
  return [pid, ...below(pid)];
}

export function findRole(parent: number, role: 'web' | 'worker' | 'ingest'): number | undefined {
  return listProcesses().find((one) => one.parent === parent && one.command.endsWith(`main.ts ${role}`))?.pid;
}
