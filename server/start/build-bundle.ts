import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Plugin } from 'vite';
import { repository, type Sources, sourcesName, stateOf } from './find-bundle.ts';

/** Run by bundle.ts as a process of its own. */
const [target] = process.argv.slice(2);
if (!target) throw new Error('usage: node build-bundle.ts <target folder>');

process.once('disconnect', () => process.exit(1)); // the server that started the build is gone
process.channel?.unref();

const server = join(repository, 'server');
/** The code that main.ts and executor/child.ts load. */
const input = { run: join(server, 'start', 'run.ts'), tasks: join(server, 'executor', 'tasks.ts') };
/** These packages load native code or start files of their own. */
const external = ['@duckdb/node-api', 'pino', 'vite'];

/** Module ids have slashes on every system. */
const root = `${repository.replaceAll(sep, '/')}/`;
const isOwn = (id: string) => id.startsWith(root) && !id.slice(root.length).includes('node_modules/');

/** Files beside a source (migrations, programs of threads) stay where they are: the source's own path is written into the bundle. */
const keepPaths: Plugin = {
  name: 'keep-paths',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || !code.includes('import.meta.')) return;
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/**
 * Importing node:http as an ECMAScript module reads all of its properties, and one of them loads the client behind `fetch`: that took 70 ms
 * of every start of a process. The module that `require` gives is the same, without the reading.
 */
const plainHttp: Plugin = {
  name: 'plain-http',
  enforce: 'pre',
  resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind !== 'require-call' ? '\0plain-http' : undefined),
  load(id) {
    if (id !== '\0plain-http') return;
    const names = Object.keys(process.getBuiltinModule('node:http'));
    const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => http.${name})();`);
    return [`const http = process.getBuiltinModule('node:http');`, 'export default http;', ...exported].join('\n');
  },
};

const startedAt = Date.now();
const { build } = await import('vite');
try {
  const built = await build({
    root: server,
    configFile: false,
    logLevel: 'error',
    cacheDir: target,
    plugins: [keepPaths, plainHttp],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: target,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
      },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const modules = outputs.flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []));
  const own = modules.filter(isOwn);
  // npm writes the list of installed packages to this file, so another installation makes the bundle stale.
  const others = ['node_modules/.package-lock.json', 'server/start/build-bundle.ts'].map((path) => join(repository, path));
  const sources = [...own, ...others];
  if (sources.some((path) => statSync(path).mtimeMs > startedAt)) throw new Error('A source was changed meanwhile.');
  const files = Object.fromEntries(sources.map((path) => [relative(repository, path).replaceAll(sep, '/'), stateOf(path)]));
  await writeFile(join(target, sourcesName), JSON.stringify({ repository, files } satisfies Sources));
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
} catch (error) {
  console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
