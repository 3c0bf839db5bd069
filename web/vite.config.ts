import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { themePlugin } from './theme/themePlugin.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = `http://localhost:${process.env.PORT || 5000}`;

/** Paths that the server answers itself; every other address is a page of the console. `/console/channels` is a page, too. */
const serverPaths = [
  '/api',
  '/console/api',
  '/console/app',
  '/login',
  '/setup',
  '/invite',
  '/reset',
  '/forgot',
  '/verify',
  '/verification_email',
  '/ping',
  '/healthz',
  '/readyz',
  '/metrics',
];

/** In development the folder `api/` is served as source under an address that looks like the server's. */
const ownSource = (url = '') => (/\.(ts|tsx|css)(\?|$)/.test(url) ? url : undefined);

/** Parts that home, lists and the notices of every page share. In the file of the lists, home would load all of that. */
const commonParts = [
  /web[\\/]ui[\\/]StateLabel\./,
  /antd[\\/]es[\\/]form[\\/]context\./,
  /antd[\\/]es[\\/]_util[\\/](?:ContextIsolator|statusUtils|hooks[\\/](?:useClosable|useZIndex))\./,
  /antd[\\/]es[\\/]config-provider[\\/]hooks[\\/]useCSSVarCls\./,
  /antd[\\/]es[\\/]theme[\\/]util[\\/]genPresetColor\./,
  /@rc-component[\\/]util[\\/]es[\\/]Dom[\\/]focus\./,
  /icons[\\/]es[\\/]icons[\\/](?:CloseOutlined|(?:CheckCircle|CloseCircle|ExclamationCircle|InfoCircle)Filled)\./,
].map(({ source }) => source);

export default defineConfig({
  root: here('.'),
  base: '/',
  plugins: [react(), themePlugin()],
  build: {
    // The caller chooses the output folder.
    emptyOutDir: true,
    assetsDir: 'static',
    assetsInlineLimit: 0,
    target: 'es2024',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The packages of Ant Design have no side effects, but do not declare it. Without this, every page that reads the context of a form
      // loads the validation of forms as well.
      treeshake: { moduleSideEffects: [{ test: /node_modules[\\/]@rc-component[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            // One chunk, so that zod is configured before a contract anywhere uses it.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|web[\\/]api[\\/]zodSetup/, priority: 7 },
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/, priority: 6 },
            // The code of every page comes in two files, that of packages and ours.
            { name: 'base', test: /node_modules[\\/]/, tags: ['$initial'], priority: 5 },
            { name: 'shell', tags: ['$initial'], priority: 4 },
            { name: 'common', test: new RegExp(commonParts.join('|')), priority: 4 },
            // What nearly all lists use. As a file for each part, a list page took fifty requests.
            {
              name: 'lists',
              test: /web[\\/]ui[\\/](?:items[\\/]|(?:ItemsPage|PageHeader|SearchBox|EmptyState|TimeAgo|Label|NameCell|Person|PictureName|StarButton|RowButton|GuardedButton|MenuButton|useDelayed|notifyWithUndo)\.)/,
              priority: 3,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      serverPaths.map((path) => [`^${path}(/|\\?|$)`, { target: server, ws: path === '/api', bypass: ({ url }) => ownSource(url) }]),
    ),
  },
});
