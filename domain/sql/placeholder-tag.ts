/**
 * `{{ name }}`, and `{{{ name }}}` and `{{& name }}` which mean the same (server-behaviour 10.1).
 * A name has any characters but braces, quotes, commas, line breaks and those that could end a text or a comment
 * (`; $ * [ ] \`), so that a placeholder lies wholly inside or wholly outside of every literal, and `'{{1,2}}'`
 * stays an array.
 */
const inner = String.raw`[^{}'"\`,;$*[\]\\\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]+`;
export const placeholderPattern = String.raw`\{\{\{(${inner})\}\}\}|\{\{(${inner})\}\}`;

export type TagKind = 'variable' | 'section' | 'other';
export interface Tag {
  kind: TagKind;
  /** The trimmed text between the braces; empty for `{{}}`. */
  name: string;
}

/** Mustache: `{{#x}} {{^x}} {{/x}}` are sections, `{{! }} {{> }} {{= =}}` comments, partials and delimiters. */
export function readTag(content: string): Tag {
  const text = content.trim();
  const sign = text.charAt(0);
  const rest = text.slice(1).trim();
  if (sign === '&') return { kind: rest ? 'variable' : 'other', name: rest };
  if (sign === '#' || sign === '^' || sign === '/') return { kind: rest ? 'section' : 'other', name: rest };
  if (sign === '!' || sign === '>' || sign === '=' || sign === '') return { kind: 'other', name: rest };
  return { kind: 'variable', name: text };
}
