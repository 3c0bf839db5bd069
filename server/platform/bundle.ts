import { existsSync } from 'node:fs';

/**
 * The folder with the bundled code that processes of this installation run from, or undefined for the sources. The start decides it once, so
 * that a restarted process runs the same code as its parent. `npm ci` removes the folder, also under a running console: roles and executors
 * that start after that load the sources. The variable is read here, because config.ts would first load its library.
 */
export function bundleFolder(): string | undefined {
  const { TELLTALE_BUNDLE: folder } = process.env;
  return folder && existsSync(folder) ? folder : undefined;
}

/** Called once by main.ts, before any other module is loaded. */

export function decideBundle(find: () => string | undefined): string | undefined {
  // During development the sources change from start to start.
  process.env.TELLTALE_BUNDLE ??= (process.env.TELLTALE_DEV ? undefined : find()) ?? '';
  return bundleFolder();
}
