import MarkdownIt from 'markdown-it';
import { useMemo } from 'react';
import SafeHtml from '../../visualizations/html/SafeHtml.tsx';
import styles from './Markdown.module.css';

/** CommonMark with tables; HTML in it stays text, and the output is sanitised once more (complaint 32). */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
const openLink = markdown.renderer.rules.link_open ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
markdown.renderer.rules.link_open = (tokens, at, options, env, self) => {
  const link = tokens[at];
  if (link && /^https?:/.test(String(link.attrGet('href') ?? ''))) link.attrSet('target', '_blank');
  return openLink(tokens, at, options, env, self);
};

/** The page has its own heading, so headings of a text box are one level lower. */
markdown.core.ruler.push('lower_headings', ({ tokens }) => {
  for (const token of tokens) if (token.type.startsWith('heading_')) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
});

/** Task lists are shown as signs: check boxes would suggest that ticking them is saved. */
const withTasks = (html: string): string =>
  html.replaceAll(/(<li>(?:\s*<p>)?)\[([ xX])\] /g, (_, item: string, mark: string) => `${item}${mark === ' ' ? '☐' : '☑'} `);

export default function Markdown({ text, isSmall = false }: { text: string; isSmall?: boolean }) {
  const html = useMemo(() => withTasks(markdown.render(text)), [text]);
  return <SafeHtml className={`${styles.markdown} ${isSmall ? styles.small : ''}`} html={html} />;
}
