import createPurifier, { type Config, type DOMPurify } from 'dompurify';
import { isSafeDeclaration } from './safeStyle.ts';
import { safeImageUrl, safeLinkUrl } from './safeUrl.ts';
import { stripHandlers } from './stripHandlers.ts';

/** security.md 12: the only place where foreign text becomes HTML. The list is small on purpose. */
const tags =
  'a abbr b blockquote br code dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark meter ol p pre progress s small span strong sub sup table tbody td tfoot th thead time tr u ul var'.split(
    ' ',
  );
const attributes =
  'align alt color colspan datetime dir height high href low max min optimum rowspan src style target title valign value width'.split(' ');

const config: Config = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

let purifier: DOMPurify | undefined;

/** An instance of our own, so that no foreign hooks run in it. */
function makePurifier(): DOMPurify {
  const made = createPurifier(window);
  made.addHook('afterSanitizeAttributes', (node) => {
    if (node.hasAttribute('style')) keepSafeStyle(node);
    if (node.hasAttribute('href') && safeLinkUrl(node.getAttribute('href') ?? '') === undefined) node.removeAttribute('href');
    if (node.hasAttribute('src') && safeImageUrl(node.getAttribute('src') ?? '') === undefined) node.removeAttribute('src');
    if (node.nodeName === 'IMG') {
      if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
      node.setAttribute('loading', 'lazy');
      node.setAttribute('referrerpolicy', 'no-referrer');
    }
    // visualizations 2.9.
    if (node.getAttribute('target') === '_blank') node.setAttribute('rel', 'noopener noreferrer');
    else node.removeAttribute('target');
  });
  return made;
}

function keepSafeStyle(node: Element): void {
  const style = node instanceof HTMLElement ? node.style : undefined;
  const safe = [...(style ?? [])].flatMap((property) => {
    const value = style?.getPropertyValue(property) ?? '';
    return isSafeDeclaration(property, value) ? [`${property}: ${value}`] : [];
  });
  if (safe.length > 0) node.setAttribute('style', safe.join('; '));
  else node.removeAttribute('style');
}

const cleaned = new Map<string, string>();
const mostCleaned = 500;
const longestKept = 10_000;

/** Cells are rendered repeatedly while scrolling: the last few hundred are cached. */
export function sanitize(html: string): string {
  const known = cleaned.get(html);
  if (known !== undefined) return known;
  purifier ??= makePurifier();
  const clean = purifier.sanitize(stripHandlers(html), config);
  if (html.length <= longestKept) {
    if (cleaned.size >= mostCleaned) cleaned.clear();
    cleaned.set(html, clean);
  }
  return clean;
}

interface SafeHtmlProps {
  html: string;
  className?: string | undefined;
}

export default function SafeHtml({ html, className }: SafeHtmlProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised, and nowhere else
  return <div className={className} dangerouslySetInnerHTML={{ __html: sanitize(html) }} />;
}
