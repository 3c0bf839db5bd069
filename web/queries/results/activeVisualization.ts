/**
 * Screens 5.9: visualizations in the order of their tabs; the first has no hash, an unknown hash selects the first. The oldest is the one
 * that came with the query, wherever its tab was moved to.
 */
export function activeVisualization<V extends { id: number }>(all: readonly V[], hash: string) {
  const oldest = all.reduce<V | null>((found, one) => (found && found.id < one.id ? found : one), null);
  return { oldest, active: all.find(({ id }) => `#${id}` === hash) ?? all[0] ?? null };
}
