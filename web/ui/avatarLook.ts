/** Ada Lovelace → AL, ada → A, nothing → ?. */
export function initials(name: string): string {
  const words = name
    .split(/[\s._-]+/)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '')
    .filter(Boolean);
  const [first = '?', ...others] = words;
  return (first + (others.at(-1) ?? '')).toUpperCase();
}

/** The same name has the same colour everywhere, whatever its case. */
export function avatarHue(name: string): number {
  // FNV-1a: names that differ in one letter get colours far apart.
  let hash = 2_166_136_261;
  for (const letter of name.trim().toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return (hash >>> 0) % 360;
}

/** A path of this server: not a foreign address, also not one without its scheme (`//host/…`, `/\host/…`). */
export const isLocalImage = (image: string | undefined): image is string => /^\/(?![/\\])/.test(image ?? '');
