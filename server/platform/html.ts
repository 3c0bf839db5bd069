const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Text that is already HTML; made only by the tag below. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | null | undefined | false | Part[];

/** html`<p>${anything}</p>` — inserted values are escaped unless they are Html themselves. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => new Html(String.raw({ raw: strings }, ...parts.map(render)));

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(render).join('');
  return part instanceof Html ? part.text : escapeHtml(String(part));
}
