/** D5: ids of channels and devices. */
const pattern = /^[a-z0-9](?:[-]?[a-z0-9]){2,}$/;
const shortest = 3;
/** design 8: a declared limit on the length, which the pattern does not have. */
const longestIdentifier = 36;

/** D5, word for word; the server answers the same. */
export const identifierMessage = `invalid identifiers! value does not match regex pattern "${pattern.source}`;
export const tooLongMessage = `An identifier has at most ${longestIdentifier} characters.`;

/** The fault of an id; null for a valid one. */
export function identifierFault(id: string): string | null {
  if (id.length > longestIdentifier) return tooLongMessage;
  return id.length >= shortest && pattern.test(id) ? null : identifierMessage;
}

/** An id made from a name: "Roof, north side" becomes roof-north-side. Empty where no character of the name can be used. */
export function identifierFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestIdentifier)
    .replace(/^-+|-+$/g, '');
  if (plain === '' || identifierFault(plain) === null) return plain;
  return `${plain}-01`;
}

/** The same id with a number at its end, for an id that is taken. */
export const numberedIdentifier = (id: string, number: number): string =>
  `${id.slice(0, longestIdentifier - 4).replace(/-+$/, '')}-${number}`;
