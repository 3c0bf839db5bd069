/** A value of a template: text, a list (repeated by a section), or an object whose keys are accessible inside a section. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };
export type TemplateValues = { readonly [key: string]: TemplateValue };

/** Longer texts are cut: no destination accepts them. */
const longest = 100_000;
const deepest = 20;
/** Sections that write nothing count as well: five of them inside each other, over a thousand rows, would never end. */
const mostSteps = 200_000;

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string }
  | { kind: 'section'; name: string; isInverted: boolean; inside: Node[] };

const tag = /\{\{\{([^{}]*)\}\}\}|\{\{([#^/&!]?)([^{}]*)\}\}/g;

/** Tags that are never closed, or closed without having been opened, are left as they are. */
function parse(template: string): Node[] {
  const root: Node[] = [];
  const open: { name: string; isInverted: boolean; inside: Node[]; text: string }[] = [];
  const inside = () => open.at(-1)?.inside ?? root;
  const text = (piece: string) => {
    if (piece !== '') inside().push({ kind: 'text', text: piece });
  };
  let at = 0;
  for (const found of template.matchAll(tag)) {
    text(template.slice(at, found.index));
    at = found.index + found[0].length;
    const [whole, raw, sign = '', content = raw ?? ''] = found;
    const name = content.trim();
    if (sign === '!') continue;
    if (sign === '#' || sign === '^') {
      if (open.length < deepest) open.push({ name, isInverted: sign === '^', inside: [], text: whole });
      else text(whole);
    } else if (sign === '/') {
      const section = open.at(-1)?.name === name ? open.pop() : undefined;
      if (section) inside().push({ kind: 'section', name, isInverted: section.isInverted, inside: section.inside });
      else text(whole);
    } else inside().push({ kind: 'value', name });
  }
  text(template.slice(at));
  for (let left = open.pop(); left; left = open.pop()) inside().push({ kind: 'text', text: left.text }, ...left.inside);
  return root;
}

const isEmpty = (value: TemplateValue): boolean =>
  value === null || value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0);

const textOf = (value: TemplateValue): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/**
 * server-behaviour 14.5: Mustache with variables, sections and comments. Values are text (design 8.1): `encode` escapes what would be
 * markup in the target, also between three braces.
 */
export function renderTemplate(template: string, values: TemplateValues, encode: (text: string) => string = (text) => text): string {
  let length = 0;
  let steps = 0;
  const isOver = () => ++steps > mostSteps || length > longest;
  const find = (scopes: readonly TemplateValue[], name: string): TemplateValue => {
    if (name === '.') return scopes.at(-1);
    const scope = scopes.findLast((each) => each !== null && typeof each === 'object' && !Array.isArray(each) && Object.hasOwn(each, name));
    return (scope as TemplateValues | undefined)?.[name];
  };
  const write = (nodes: readonly Node[], scopes: readonly TemplateValue[]): string => {
    let out = '';
    for (const node of nodes) {
      if (isOver()) break;
      let piece = '';
      if (node.kind === 'text') piece = node.text;
      else if (node.kind === 'value') piece = encode(textOf(find(scopes, node.name)));
      else {
        const value = find(scopes, node.name);
        if (node.isInverted !== isEmpty(value)) continue;
        const items = node.isInverted ? [undefined] : Array.isArray(value) ? (value as readonly TemplateValue[]) : [value];
        for (const item of items) {
          if (isOver()) break;
          out += write(node.inside, item === undefined ? scopes : [...scopes, item]);
        }
        continue;
      }
      length += piece.length;
      out += piece;
    }
    return out;
  };
  return write(parse(template), [values]).slice(0, longest);
}
