import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** `npm run demo`: the console with three sample sites, in a data folder of its own. */
const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'server', 'main.ts')], {
  stdio: 'inherit',
  env: { ...process.env, TELLTALE_DEMO: '1' },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
