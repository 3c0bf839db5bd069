/** Pictures of figures as SVG text, in the colours of both themes of whoever looks at them. */
export interface Bar {
  label: string;
  value: number;
  /** What is written behind it. */
  note: string;
  isMet: boolean;
}

interface Line {
  label: string;
  points: { x: number; y: number }[];
}

export interface LineChart {
  title: string;
  x: string;
  y: string;
  /** Both axes in powers of ten, for curves of growth. */
  isLogarithmic?: boolean;
  lines: Line[];
}

const colours = ['#2563eb', '#d97706', '#059669', '#db2777', '#7c3aed', '#0891b2'];
const style = `<style>text{font:12px system-ui,sans-serif;fill:#374151}.title{font-size:15px;font-weight:600}.axis{stroke:#9ca3af}.grid{stroke:#9ca3af;stroke-opacity:.25}
@media(prefers-color-scheme:dark){text{fill:#d1d5db}}</style>`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const text = (x: number, y: number, content: string, more = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped(content)}</text>`;
const round = (value: number) => Math.round(value * 10) / 10;
const svg = (title: string, width: number, height: number, parts: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(title)}</title>${style}${[text(10, 22, title, 'class="title"'), ...parts].join('')}</svg>\n`;

/** Bars from a common zero; the dashed line is 1, which is as good as the reference. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const [left, width, row] = [420, 1000, 26];
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const scale = (value: number) => left + (Math.max(0, value) / most) * (width - left - 190);
  const height = 50 + bars.length * row;
  const drawn = bars.flatMap(({ label, value, note, isMet }, n) => {
    const y = 42 + n * row;
    const colour = isMet ? '#059669' : '#d97706';
    return [
      text(left - 8, y + 13, label.length > 66 ? `${label.slice(0, 65)}…` : label, 'text-anchor="end"'),
      `<rect x="${left}" y="${y}" width="${round(scale(value) - left)}" height="16" rx="2" fill="${colour}"/>`,
      text(scale(value) + 6, y + 13, note),
    ];
  });
  const one = round(scale(1));
  return svg(title, width, height, [
    ...drawn,
    `<line class="axis" stroke-dasharray="4 3" x1="${one}" x2="${one}" y1="34" y2="${height - 8}"/>`,
  ]);
}

export function lineChart({ title, x, y, isLogarithmic = false, lines }: LineChart): string {
  const [width, height, left, top, right, bottom] = [900, 380, 70, 44, 200, 44];
  const all = lines.flatMap(({ points }) => points).filter((point) => !isLogarithmic || (point.x > 0 && point.y > 0));
  const move = (value: number) => (isLogarithmic ? Math.log10(value) : value);
  const [xs, ys] = [all.map((point) => move(point.x)), all.map((point) => move(point.y))];
  const span = (values: number[], from: number) => {
    const low = isLogarithmic ? Math.floor(Math.min(...values)) : Math.min(from, ...values);
    const high = isLogarithmic ? Math.ceil(Math.max(...values)) : Math.max(...values);
    return [low, high > low ? high : low + 1] as const;
  };
  const [[x0, x1], [y0, y1]] = [span(xs, 0), span(ys, 0)];
  const place = (point: { x: number; y: number }) => [
    left + ((move(point.x) - x0) / (x1 - x0)) * (width - left - right),
    height - bottom - ((move(point.y) - y0) / (y1 - y0)) * (height - top - bottom),
  ];
  const steps = (low: number, high: number) =>
    isLogarithmic
      ? Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n))
      : Array.from({ length: 6 }, (_, n) => low + ((high - low) * n) / 5);
  const grid = [
    ...steps(y0, y1).flatMap((value) => {
      const [, at = 0] = place({ x: isLogarithmic ? 10 ** x0 : x0, y: value });
      return [
        `<line class="grid" x1="${left}" x2="${width - right}" y1="${round(at)}" y2="${round(at)}"/>`,
        text(left - 6, at + 4, shown(value), 'text-anchor="end"'),
      ];
    }),
    ...steps(x0, x1).map((value) => {
      const [at = 0] = place({ x: value, y: isLogarithmic ? 10 ** y0 : y0 });
      return text(at, height - bottom + 18, shown(value), 'text-anchor="middle"');
    }),
  ];
  const drawn = lines.flatMap(({ label, points }, n) => {
    const colour = colours[n % colours.length];
    const path = points
      .filter((point) => !isLogarithmic || (point.x > 0 && point.y > 0))
      .map((point) => place(point).map(round).join(','))
      .join(' ');
    return [
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${path}"/>`,
      `<rect x="${width - right + 14}" y="${top + n * 20}" width="12" height="4" fill="${colour}"/>`,
      text(width - right + 32, top + 7 + n * 20, label),
    ];
  });
  return svg(title, width, height, [...grid, text(left, height - 6, x), text(10, top - 8, y), ...drawn]);
}

function shown(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1_000_000) return `${round(value / 1_000_000)} M`;
  if (Math.abs(value) >= 1000) return `${round(value / 1000)} k`;
  return Math.abs(value) >= 1 ? String(round(value)) : value.toPrecision(1);
}
