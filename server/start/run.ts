import { isRoleProcess } from '../config.ts';
import { findRoles, usage } from './command-line.ts';

/** What the command line asks for: everything, or some roles; in a child of such a process, its one role. */
export async function run(words: string[]): Promise<void> {
  const roles = findRoles(words);
  const [only] = roles ?? [];
  if (!roles || !only) {
    console.error(usage);
    process.exitCode = 2;
  } else if (isRoleProcess()) {
    const { runRole } = await import('./role-process.ts');
    await runRole(only);
  } else {
    const { runParent } = await import('./parent.ts');
    await runParent(roles);
  }
}
