import { useCompileCache } from './platform/compile-cache.ts';

useCompileCache();

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
