/** Properties that style a cell; none that leave its place, cover others or request another server. */
const allowed = new Set([
  'color',
  'background-color',
  'font-weight',
  'font-style',
  'font-size',
  'font-family',
  'text-align',
  'text-transform',
  'text-decoration-line',
  'text-decoration-color',
  'text-decoration-style',
  'white-space',
  'white-space-collapse',
  'text-wrap-mode',
  'vertical-align',
  'width',
  'max-width',
  'min-width',
  'height',
  'max-height',
  'min-height',
  'display',
  'opacity',
  'padding-top',
  'padding-right',
  'padding-bottom',
  'padding-left',
  'border-top-width',
  'border-right-width',
  'border-bottom-width',
  'border-left-width',
  'border-top-style',
  'border-right-style',
  'border-bottom-style',
  'border-left-style',
  'border-top-color',
  'border-right-color',
  'border-bottom-color',
  'border-left-color',
  'border-top-left-radius',
  'border-top-right-radius',
  'border-bottom-left-radius',
  'border-bottom-right-radius',
]);
const plain = /^[\w\s.,#%()+/"'-]{1,100}$/;
const calls = /(?:^|[^\w-])(?!(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|calc)\()[\w-]+\(/i;

/** A declaration as the browser reads it, in longhand: `padding` becomes four of them. */
export function isSafeDeclaration(property: string, value: string): boolean {
  return allowed.has(property) && plain.test(value) && !calls.test(value);
}
