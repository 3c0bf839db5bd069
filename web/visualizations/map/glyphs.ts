/**
 * Pictures for markers, drawn in a square of 16. Stored options carry names of Font Awesome 4.7; these are the ones that are common on
 * maps, in our own drawing. An unknown name is drawn as a dot.
 */
const glyphs: Readonly<Record<string, string>> = {
  circle: 'M8 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8z',
  square: 'M4 4h8v8H4z',
  star: 'M8 2l1.8 4 4.3.4-3.2 2.9.9 4.3L8 11.4l-3.8 2.2.9-4.3L1.9 6.4 6.2 6z',
  heart: 'M8 13.5L3 8.4a3 3 0 0 1 5-3.3a3 3 0 0 1 5 3.3z',
  home: 'M8 2l6.5 6H12.5v5.5h-3v-4h-3v4h-3V8H1.5z',
  building: 'M3.5 2h9v12h-3.5v-3h-2v3H3.5zM5.5 4v1.5h1.5V4zm3.5 0v1.5h1.5V4zM5.5 7v1.5h1.5V7zm3.5 0v1.5h1.5V7z',
  industry: 'M2 14V3h2.5v5l3.5-2.5V8l3.5-2.5V8L14 6v8z',
  flag: 'M3.5 2H5v1h8l-2 3 2 3H5v5H3.5z',
  bolt: 'M9.5 1.5L3.5 9H7l-1 5.5L12.5 7H9z',
  tint: 'M8 1.5c2.5 3.5 4.2 5.5 4.2 8a4.2 4.2 0 0 1-8.4 0c0-2.5 1.7-4.5 4.2-8z',
  thermometer: 'M6.5 3.5a1.5 1.5 0 0 1 3 0v5.4a3.2 3.2 0 1 1-3 0zM7.5 5v5h1V5z',
  fire: 'M8 1.5c.5 2.5 4 4 4 8a4 4 0 0 1-8 0c0-2 1-3 1.5-4 .7 1 1 1.5 1.5 1.5C7.5 5 7 3.5 8 1.5z',
  leaf: 'M13.5 2.5c.5 6-2 9.5-6 9.5-1.2 0-2.2-.4-3-1L3 13l-1-1c4-2.5 4.5-5 7.5-6-3 .3-5 1.8-6.5 4C2.5 5 7 2.5 13.5 2.5z',
  tree: 'M8 1.5l4 4.5h-2l3 4H9v4H7v-4H3l3-4H4z',
  cloud: 'M5 12.5a3 3 0 0 1-.3-6 3.8 3.8 0 0 1 7.3 1 2.5 2.5 0 0 1-.5 5z',
  wifi: 'M8 11a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3zM4.2 9.2a5.4 5.4 0 0 1 7.6 0l-1.2 1.2a3.7 3.7 0 0 0-5.2 0zM1.5 6.5a9.2 9.2 0 0 1 13 0l-1.2 1.2a7.5 7.5 0 0 0-10.6 0z',
  signal: 'M2 10h2.5v4H2zm4.5-4H9v8H6.5zM11 2h2.5v12H11z',
  camera: 'M5.5 3.5l1-1.5h3l1 1.5H14v9.5H2V3.5zM8 5.5a2.7 2.7 0 1 0 0 5.4a2.7 2.7 0 0 0 0-5.4z',
  car: 'M4 4h8l1.5 4H14v4.5h-2V11H4v1.5H2V8h.5zM4.7 5.5L4 8h8l-.7-2.5z',
  truck:
    'M1 4h8.5v6.5H1zm9.5 2H13l2 2.5v2h-4.5zM4 10.5a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 0 1 0-3.4zm8 0a1.7 1.7 0 1 1 0 3.4a1.7 1.7 0 0 1 0-3.4z',
  ship: 'M7 2h2v2.5h2.5V7L14 8l-2 5H4L2 8l2.5-1V4.5H7z',
  plane: 'M7 2h2v4.5l5 3V11L9 9.5V12l1.5 1.5H5.5L7 12V9.5L2 11V9.5l5-3z',
  user: 'M8 2a3 3 0 1 1 0 6a3 3 0 0 1 0-6zM2.5 14c0-3 2.5-4.7 5.5-4.7s5.5 1.7 5.5 4.7z',
  bell: 'M7 1.5h2v1a4 4 0 0 1 3 4V10l1.5 2h-11L4 10V6.5a4 4 0 0 1 3-4zM6.5 13h3a1.5 1.5 0 0 1-3 0z',
  wrench: 'M10 1.5a4 4 0 0 0-3.7 5.4L1.8 11.4 4.6 14.2l4.5-4.5A4 4 0 0 0 14.3 4.5L12 6.7l-2-.7-.7-2 2.2-2.2A4 4 0 0 0 10 1.5z',
  cog: 'M7 1.5h2l.4 1.8 1.2.5 1.5-1 1.4 1.4-1 1.5.5 1.2 1.8.4v2l-1.8.4-.5 1.2 1 1.5-1.4 1.4-1.5-1-1.2.5L9 14.5H7l-.4-1.8-1.2-.5-1.5 1-1.4-1.4 1-1.5L3 9.1l-1.5-.4v-2L3.3 6.3l.5-1.2-1-1.5 1.4-1.4 1.5 1 1-.4zM8 6a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
  lock: 'M5 7V5a3 3 0 0 1 6 0v2h1.5v7h-9V7zm1.5 0h3V5a1.5 1.5 0 0 0-3 0z',
  check: 'M6.5 12.5L2 8l1.5-1.5 3 3 6-6L14 5z',
  times: 'M4 2.5l4 4 4-4L13.5 4l-4 4 4 4L12 13.5l-4-4-4 4L2.5 12l4-4-4-4z',
  plus: 'M7 2.5h2V7h4.5v2H9v4.5H7V9H2.5V7H7z',
  info: 'M7 2.5h2v2.2H7zM6 6.5h3V12h1v1.5H6V12h1V8H6z',
  exclamation: 'M6.8 2h2.4l-.4 7.5H7.2zM7 11h2v2.5H7z',
  warning: 'M8 1.5l7 12.5H1zM7.2 6l.3 4h1l.3-4zM7.2 11v1.5h1.6V11z',
  'map-marker':
    'M8 1.5a4.5 4.5 0 0 1 4.5 4.5c0 3-4.5 8.5-4.5 8.5S3.5 9 3.5 6A4.5 4.5 0 0 1 8 1.5zM8 4.5a1.6 1.6 0 1 0 0 3.2a1.6 1.6 0 0 0 0-3.2z',
  tachometer: 'M8 3a6.5 6.5 0 0 1 5.6 9.8H2.4A6.5 6.5 0 0 1 8 3zM11 5.5L7.2 8.8a1.5 1.5 0 1 0 1.5 1.4z',
  database: 'M8 2c3 0 5 .8 5 2v8c0 1.2-2 2-5 2s-5-.8-5-2V4c0-1.2 2-2 5-2zM3.5 6.5v1.3c2.5 1.4 6.5 1.4 9 0V6.5c-2.5 1.4-6.5 1.4-9 0z',
};
/** Other names of the same glyphs. */
const alike: Readonly<Record<string, string>> = {
  'circle-o': 'circle',
  'dot-circle-o': 'circle',
  'star-o': 'star',
  'heart-o': 'heart',
  'building-o': 'building',
  'flag-o': 'flag',
  flash: 'bolt',
  'thermometer-half': 'thermometer',
  'thermometer-full': 'thermometer',
  'thermometer-empty': 'thermometer',
  pagelines: 'leaf',
  automobile: 'car',
  dashboard: 'tachometer',
  gear: 'cog',
  remove: 'times',
  close: 'times',
  'exclamation-triangle': 'warning',
  'info-circle': 'info',
  'check-circle': 'check',
  'user-o': 'user',
  'bell-o': 'bell',
  'video-camera': 'camera',
};

export const glyphNames: readonly string[] = Object.keys(glyphs);

/** The glyph for a Font Awesome name, with or without `fa-`. */
export function glyphOf(name: string): string {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^(fa\s+)?fa-/, '');
  const own = Object.hasOwn(alike, plain) ? (alike[plain] ?? '') : plain;
  return (Object.hasOwn(glyphs, own) ? glyphs[own] : undefined) ?? glyphs.circle ?? '';
}
