import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// First, so that everything loaded from here on is quick the next time. Beside the code, because it is as trusted as the
// code; where that cannot be written the start is only slower.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'telltale'));

const { isRoleProcess } = await import('./config.ts');
const { findRoles, usage } = await import('./start/command-line.ts');

const roles = findRoles(process.argv.slice(2));
const [only] = roles ?? [];
if (!roles || !only) {
  console.error(usage);
  process.exitCode = 2;
} else if (isRoleProcess()) {
  const { runRole } = await import('./start/role-process.ts');
  await runRole(only);
} else {
  const { runParent } = await import('./start/parent.ts');
  await runParent(roles);
}
