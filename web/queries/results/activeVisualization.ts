/** Screens 5.9: in the order of their making; the first has no hash, an unknown hash is the first. */
export function activeVisualization<V extends { id: number }>(visualizations: readonly V[], hash: string) {
  const all = [...visualizations].sort((a, b) => a.id - b.id);
  const first = all[0] ?? null;
  return { all, first, active: all.find(({ id }) => `#${id}` === hash) ?? first };
}
