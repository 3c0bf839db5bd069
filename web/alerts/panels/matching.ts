/** Searches lists that arrive whole: every word of the term must be in the name. */
export function matching<T extends { name: string }>(items: readonly T[], term: string): T[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** A list endpoint answers an array, or a page on request. */
export const listed = <T>(reply: T[] | { results: T[] }): T[] => (Array.isArray(reply) ? reply : reply.results);
