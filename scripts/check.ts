import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Each further checker of a step repeats half of the work of the first, and two steps run at a time. */
const checkers = ['--checkers', String(Math.max(1, availableParallelism() >> 1))];

/** Types, lint and format, code that nothing uses, and the direction of imports: these must pass before any test is worth running. */
const steps: [name: string, command: string, args: string[]][] = [
  ['types of server', 'tsc', ['-p', 'server', ...checkers]],
  ['types of web', 'tsc', ['-p', 'web', ...checkers]],
  ['types of domain', 'tsc', ['-p', 'domain', ...checkers]],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
  ['code and packages that nothing uses', 'knip', ['--no-progress']],
  ['direction of imports', 'vitest', ['run', '--project', 'rules', 'tests/architecture.test.ts', '--reporter', 'dot']],
];

/** Runs a step; its output is shown in one piece, because two steps run at a time. */
async function run([name, command, args]: (typeof steps)[number]): Promise<boolean> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await once(child, 'close').then(
    ([code]: (number | null)[]) => code,
    (error: Error) => error.message,
  );
  if (output) console.log(output.trimEnd());
  if (code !== 0) console.error(`\nnpm run check: ${name} failed${typeof code === 'string' ? ` (${code})` : ''}`);
  return code === 0;
}

const waiting = [...steps];
let isPassed = true;
const lane = async () => {
  for (let step = waiting.shift(); step && isPassed; step = waiting.shift()) if (!(await run(step))) isPassed = false;
};
await Promise.all([lane(), lane()]);
process.exit(isPassed ? 0 : 1);
