import { TileSource } from '@telltale/domain/visualizations/map-tiles.ts';

const units = { d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** 90 → "90s", 3600 → "1h": the largest unit that divides it. */
export function intervalText(seconds: number): string {
  const [unit, size] = Object.entries(units).find(([, size]) => seconds % size === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/** Undefined when the text is no interval. */
export function intervalSeconds(text: string): number | undefined {
  const [, count, unit = 's'] = /^(\d{1,9})\s*([dhms])?$/i.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit.toLowerCase() as keyof typeof units];
}

/** The sources as text, one per line: name, address, attribution. */
export const tilesText = (sources: readonly TileSource[]): string =>
  sources.map(({ name, url, attribution }) => [name, url, attribution].filter(Boolean).join(' | ')).join('\n');

/** The sources of the lines, or the fault of one of them. */
export function tilesFrom(text: string): { sources: TileSource[] } | { fault: string } {
  const sources: TileSource[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [name = '', url = '', ...attribution] = line.split('|').map((part) => part.trim());
    const parsed = TileSource.safeParse({ name, url, attribution: attribution.join(' | ') });
    if (!parsed.success) return { fault: `"${line.trim().slice(0, 60)}": ${parsed.error.issues[0]?.message}` };
    sources.push(parsed.data);
  }
  return { sources };
}
