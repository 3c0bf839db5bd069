import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const builds = join(import.meta.dirname, '..', '..', 'artifacts', 'pages');

/** Pages are built once for each version of their sources: this empty data folder shares them with the consoles of other tests and runs. */
export async function shareBuiltPages(dataFolder: string): Promise<void> {
  await mkdir(builds, { recursive: true });
  await symlink(builds, join(dataFolder, 'web'), 'junction');
}
