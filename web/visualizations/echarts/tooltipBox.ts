export interface TooltipLine {
  /** A swatch in front of the line. */
  color?: string | undefined;
  name?: string | undefined;
  value: string;
}

const longest = 300;

/**
 * The content of a tooltip, as elements: names and values come from results, and no markup in them ever acts.
 * Give it back from an ECharts `formatter`.
 */
export function tooltipBox(title: string, lines: readonly TooltipLine[], more = 0): HTMLElement {
  const box = document.createElement('div');
  if (title) box.append(element('div', title, 'font-weight:600;margin-block-end:4px'));
  const grid = element('div', '', 'display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:2px 8px;align-items:baseline');
  for (const { color, name, value } of lines) {
    const swatch = element('span', '', 'width:10px;height:10px;border-radius:3px');
    if (color) swatch.style.background = color;
    grid.append(swatch, element('span', name ?? '', ''), element('span', value, 'text-align:end;font-variant-numeric:tabular-nums'));
  }
  box.append(grid);
  if (more > 0) box.append(element('div', `and ${more} more`, 'margin-block-start:4px;opacity:.7'));
  return box;
}

function element(tag: string, text: string, style: string): HTMLElement {
  const made = document.createElement(tag);
  made.style.cssText = style;
  made.textContent = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return made;
}
