/**
 * The folder with the bundled code that processes of this installation run from, or undefined for the sources. The start decides it once, so
 * that a process which is started again runs the same code as its parent. Read here, because config.ts would first load its library.
 */
export const bundleFolder = (): string | undefined => process.env.TELLTALE_BUNDLE || undefined;

export function decideBundle(find: () => string | undefined): string | undefined {
  // During development the sources change from start to start.
  process.env.TELLTALE_BUNDLE ??= (process.env.TELLTALE_DEV ? undefined : find()) ?? '';
  return bundleFolder();
}
