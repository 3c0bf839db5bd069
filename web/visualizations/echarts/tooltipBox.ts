export interface TooltipLine {
  /** A swatch in front of the line. */
  color?: string | undefined;
  /** The swatch is a line of these strokes and gaps. */
  dash?: readonly number[] | undefined;
  name?: string | undefined;
  value: string;
}

const longest = 300;

/**
 * The content of a tooltip, as elements: names and values come from results, and markup in them has no effect. Return it from an ECharts
 * `formatter`.
 */
export function tooltipBox(title: string, lines: readonly TooltipLine[], more = 0): HTMLElement {
  const box = document.createElement('div');
  if (title) box.append(element('div', title, 'font-weight:600;margin-block-end:4px'));
  const grid = element('div', '', 'display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:2px 8px;align-items:baseline');
  for (const { color, dash, name, value } of lines) {
    const swatch = dash ? dashed(dash, color ?? '') : filled(color);
    grid.append(swatch, element('span', name ?? '', ''), element('span', value, 'text-align:end;font-variant-numeric:tabular-nums'));
  }
  box.append(grid);
  if (more > 0) box.append(element('div', `and ${more} more`, 'margin-block-start:4px;opacity:.7'));
  return box;
}

function filled(color: string | undefined): Element {
  const swatch = element('span', '', 'width:10px;height:10px;border-radius:3px');
  if (color) swatch.style.background = color;
  return swatch;
}

const svgNames = 'http://www.w3.org/2000/svg';

function dashed(dash: readonly number[], color: string): Element {
  const picture = document.createElementNS(svgNames, 'svg');
  const line = document.createElementNS(svgNames, 'line');
  const parts = { x1: 0, x2: 18, y1: 2, y2: 2, stroke: color, 'stroke-width': 2.5, 'stroke-dasharray': dash.join(' ') };
  for (const [name, value] of Object.entries(parts)) line.setAttribute(name, String(value));
  picture.setAttribute('viewBox', '0 0 18 4');
  picture.style.cssText = 'width:18px;height:4px;align-self:center';
  picture.append(line);
  return picture;
}

function element(tag: string, text: string, style: string): HTMLElement {
  const made = document.createElement(tag);
  made.style.cssText = style;
  made.textContent = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return made;
}
