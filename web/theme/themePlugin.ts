import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { themeCss } from './tokens.ts';

const moduleId = 'virtual:theme.css';
/** Static pages beside the console (help) link it under this fixed name. */
const fileName = 'theme.css';

/** The same pages use the console's font, also under a fixed name. */
const fontName = 'inter.woff2';
const font = () => readFileSync(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')));
const fontFace = `@font-face {
  font-family: "Inter Variable";
  font-weight: 100 900;
  font-display: swap;
  src: url("/${fontName}") format("woff2-variations");
}
`;

/** Prints the tokens as CSS variables, so that no colour is written in two places. */
export function themePlugin(): Plugin {
  return {
    name: 'telltale-theme',
    resolveId: (id) => (id === moduleId ? `\0${moduleId}` : null),
    load: (id) => (id === `\0${moduleId}` ? themeCss : null),
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'text/css').end(fontFace + themeCss);
      });
      server.middlewares.use(`/${fontName}`, (_request, response) => {
        response.setHeader('Content-Type', 'font/woff2').end(font());
      });
    },
    /** The font is preloaded with the page, so that the first words do not change their shape. */
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const preloaded = Object.keys(bundle).find((file) => file.includes('inter-latin-wght-normal'));
        if (!preloaded) return [];
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${preloaded}` },
            injectTo: 'head',
          },
        ];
      },
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: fontFace + themeCss });
      this.emitFile({ type: 'asset', fileName: fontName, source: font() });
    },
  };
}
