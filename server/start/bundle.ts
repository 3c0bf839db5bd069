import { join } from 'node:path';
import { replaceFile } from './atomic-file.ts';
import { buildFolder } from './builder.ts';
import { bundlesFolder, currentName, findBundle } from './find-bundle.ts';

const builder = join(import.meta.dirname, 'build-bundle.ts');

/** The bundle of the sources as they are now, made if there is none; the next start finds it. */
export async function ensureBundle(signal?: AbortSignal): Promise<string> {
  const found = findBundle();
  if (found) return found;
  const name = Date.now().toString(36);
  await buildFolder(join(bundlesFolder, name), { what: 'The bundle of the server', script: builder, signal, isInBackground: true });
  await replaceFile(join(bundlesFolder, currentName), name, { durable: false });
  return join(bundlesFolder, name);
}
