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
  let hash = 0;
  for (const letter of name.trim().toLowerCase()) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % 360;
}

/** A path of this server: not a foreign address, also not one without its scheme (`//host/…`, `/\host/…`). */
export const isLocalImage = (image: string | undefined): image is string => /^\/(?![/\\])/.test(image ?? '');
