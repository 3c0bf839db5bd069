import { spawnSync } from 'node:child_process';

/** Types, lint and format, code that nothing uses, and the direction of imports: these must pass before any test is worth running. */
const steps: [name: string, command: string, args: string[]][] = [
  ['types of domain', 'tsc', ['-p', 'domain']],
  ['types of server', 'tsc', ['-p', 'server']],
  ['types of web', 'tsc', ['-p', 'web']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
  ['code and packages that nothing uses', 'knip', ['--no-progress']],
  ['direction of imports', 'vitest', ['run', '--project', 'rules', 'tests/architecture.test.ts', '--reporter', 'dot']],
];

for (const [name, command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error(`\nnpm run check: ${name} failed`);
    process.exit(1);
  }
}
