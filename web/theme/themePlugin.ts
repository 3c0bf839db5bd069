import type { Plugin } from 'vite';
import { themeCss } from './tokens.ts';

const moduleId = 'virtual:theme.css';
/** Plain pages beside the console (help) link it under this fixed name. */
const fileName = 'theme.css';

/** Prints the tokens as CSS variables, so that no colour is written in two places. */
export function themePlugin(): Plugin {
  return {
    name: 'telltale-theme',
    resolveId: (id) => (id === moduleId ? `\0${moduleId}` : null),
    load: (id) => (id === `\0${moduleId}` ? themeCss : null),
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'text/css').end(themeCss);
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: themeCss });
    },
  };
}
