/** D5: ids of channels and devices. */
const pattern = /^[a-z0-9](?:[-]?[a-z0-9]){2,}$/;
const shortest = 3;
/** design 8: a declared limit on the pattern, which has none. */
const longestIdentifier = 36;

/** D5, word for word; also what a server answers. */
export const identifierMessage = `invalid identifiers! value does not match regex pattern "${pattern.source}`;
export const tooLongMessage = `An identifier has at most ${longestIdentifier} characters.`;

/** What is wrong with an id; null when nothing is. */
export function identifierFault(id: string): string | null {
  if (id.length > longestIdentifier) return tooLongMessage;
  return id.length >= shortest && pattern.test(id) ? null : identifierMessage;
}
