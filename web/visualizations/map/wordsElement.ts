import { sanitize } from '../html/SafeHtml.tsx';
import styles from './Map.module.css';
import type { MarkerWords } from './markerWords.ts';

/** Complaint 44: values are text, templates are sanitised; markup in a result has no effect. */
export function wordsElement(words: MarkerWords): HTMLElement {
  const box = document.createElement('div');
  if ('html' in words) {
    box.innerHTML = sanitize(words.html);
    return box;
  }
  const title = document.createElement('strong');
  title.textContent = words.title;
  box.append(title);
  if (words.lines.length === 0) return box;
  const list = document.createElement('dl');
  list.className = styles.words ?? '';
  for (const { name, value } of words.lines) {
    const term = document.createElement('dt');
    term.textContent = name;
    const text = document.createElement('dd');
    text.textContent = value;
    list.append(term, text);
  }
  box.append(list);
  if (words.more > 0) {
    const more = document.createElement('p');
    more.textContent = `and ${words.more} more columns`;
    box.append(more);
  }
  return box;
}
