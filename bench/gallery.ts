import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The gallery of visualizations as a production build, at an address of its own. */
export async function withGallery<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-gallery-'));
  const root = join(import.meta.dirname, '../web');
  const { build } = await import('vite');
  await build({
    configFile: join(root, 'vite.config.ts'),
    mode: 'gallery',
    logLevel: 'error',
    build: { outDir: folder, rolldownOptions: { input: join(root, 'visualizations/gallery/index.html') } },
  });
  const server = createServer(async (request, reply) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = await readFile(join(folder, path)).catch(() => null);
    reply.writeHead(file ? 200 : 404, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(file ?? '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/visualizations/gallery/index.html`);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true, force: true });
  }
}
