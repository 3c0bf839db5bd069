import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { securityHeaders } from '../../../server/platform/http/headers.ts';
import { artifacts } from './console.ts';

const web = join(import.meta.dirname, '..', '..', '..', 'web');
const page = 'visualizations/gallery/index.html';

export interface RunningGallery {
  url: string;
  stop(): Promise<void>;
}

/** The gallery of visualizations, built like the product's pages and under the same content security policy. */
export async function startGallery(): Promise<RunningGallery> {
  // Several files show it at a time, each from a build of its own: a build empties its folder first.
  const outDir = join(artifacts, 'gallery', String(process.pid));
  const config = { root: web, configFile: join(web, 'vite.config.ts'), mode: 'gallery', logLevel: 'warn' } as const;
  await build({ ...config, build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(web, page) } } });
  const server = await preview({
    ...config,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, headers: securityHeaders({ helpOrigin: undefined, embeddable: false, https: false }) },
  });
  const [origin] = server.resolvedUrls?.local ?? [];
  if (!origin) throw new Error('The gallery has no address.');
  const stop = async () => {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  };
  return { url: new URL(page, origin).href, stop };
}
