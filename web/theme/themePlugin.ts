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
    /** The font of the first words is asked for with the page, so that they do not change their shape. */
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => file.includes('inter-latin-wght-normal'));
        if (!font) return [];
        return [
          { tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` }, injectTo: 'head' },
        ];
      },
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: themeCss });
    },
  };
}
