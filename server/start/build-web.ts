import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** Run by web-build.ts as a process of its own. */
const [target, web, cacheFolder] = process.argv.slice(2);
if (!target || !web || !cacheFolder) throw new Error('usage: node build-web.ts <target folder> <folder of the pages> <cache folder>');

const textual = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.xml', '.webmanifest', '.wasm']);
const slowBrotliBelowBytes = 300_000;

process.once('disconnect', () => process.exit(1)); // the server that started the build is gone
process.channel?.unref();
process.env.NODE_ENV = 'production'; // otherwise React would be bundled with its development checks
const { build } = await import('vite');
try {
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    configLoader: 'native', // other loaders write beside node_modules, which may be read-only
    cacheDir: cacheFolder,
    logLevel: 'warn',
    build: { outDir: target, emptyOutDir: true },
  });
  await compressAll(target);
} catch (error) {
  console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}

/** Compresses files once here and not on every request; a compressed file is kept only where it is smaller. */
async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && textual.has(extname(entry.name)));
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const quality = content.length < slowBrotliBelowBytes ? 11 : 9;
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [gz, br] = await Promise.all([promisify(gzip)(content, { level: 9 }), promisify(brotliCompress)(content, { params })]);
  if (gz.length < content.length) await writeFile(`${path}.gz`, gz);
  if (br.length < content.length) await writeFile(`${path}.br`, br);
}
