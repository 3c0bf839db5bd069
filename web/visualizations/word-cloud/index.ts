import { defineVisualization } from '../define.ts';
import { wordCloudModel } from './wordCloudModel.ts';
import { wordCloudOptions } from './wordCloudOptions.ts';

const mostNamed = 10;

export const wordCloud = defineVisualization({
  type: 'WORD_CLOUD',
  name: 'Word Cloud',
  options: wordCloudOptions,
  size: { width: 3, height: 8, minWidth: 1, minHeight: 1 },
  summary: (table, options) => {
    const { words, more } = wordCloudModel(table, options);
    const named = words.slice(0, mostNamed).map(({ text, count }) => `${text} (${count.toLocaleString('en')})`);
    const count = words.length + more;
    return `Word cloud of ${count.toLocaleString('en')} ${count === 1 ? 'word' : 'words'}${named.length > 0 ? `, most often ${named.join(', ')}` : ''}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
