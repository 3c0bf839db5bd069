import { demoRole, type RoleName, roleNames } from '../platform/role.ts';

export const usage = `usage: node server/main.ts [${roleNames.join('] [')}]   (all roles when none is named)`;

/** The requested roles, each once; undefined when a word is not a role. */
export function findRoles(words: string[]): RoleName[] | undefined {
  if (words.length === 1 && words[0] === demoRole) return [demoRole];
  if (!words.every((word) => roleNames.some((name) => name === word))) return undefined;
  return roleNames.filter((name) => words.length === 0 || words.includes(name));
}
