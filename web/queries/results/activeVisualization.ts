/** Screens 5.9: visualizations in order of creation; the first has no hash, an unknown hash selects the first. */
export function activeVisualization<V extends { id: number }>(visualizations: readonly V[], hash: string) {
  const all = [...visualizations].sort((a, b) => a.id - b.id);
  const first = all[0] ?? null;
  return { all, first, active: all.find(({ id }) => `#${id}` === hash) ?? first };
}
