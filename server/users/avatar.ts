import { escapeHtml } from '../platform/html.ts';

/** Initials on a calm colour: no external picture service learns who our users are. */
export function avatarSvg(id: number, name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  const hue = (id * 67) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="20" fill="hsl(${hue} 45% 38%)"/><text x="20" y="21" fill="#fff" font-family="Inter, system-ui, sans-serif" font-size="15" font-weight="600" text-anchor="middle" dominant-baseline="middle">${escapeHtml(letters.join('').toUpperCase())}</text></svg>`;
}
